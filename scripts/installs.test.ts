import { expect, test } from '@jest/globals'
import { isPublished, type WorkspacePackage, workspacePackages } from './workspace.js'

const ours = new Map(workspacePackages().map(one => [one.manifest.name, one]))

/** Returns the third-party packages that npm installs with one of ours. */
function installedWith(name: string, seen = new Set<string>()): readonly string[] {
  if (seen.has(name)) return []
  seen.add(name)
  const { manifest } = ours.get(name) as WorkspacePackage
  return Object.keys(manifest.dependencies ?? {}).flatMap(one =>
    ours.has(one) ? installedWith(one, seen) : [`${name} → ${one}`],
  )
}

test.each(['@godwit/protocol', '@godwit/source', '@godwit/plugin', '@godwit/model', '@godwit/admin-client'])(
  '%s installs no package of others',
  name => {
    expect(installedWith(name)).toEqual([])
  },
)

test('the server installs the validator of the protocol', () => {
  expect(installedWith('@godwit/server')).toContain('@godwit/server → ajv')
  expect([...ours.values()].filter(isPublished).map(({ manifest }) => manifest.name)).toContain('@godwit/server')
})
