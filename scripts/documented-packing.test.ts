import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { isPublished, root, workspacePackages } from './workspace.ts'

const packages = new Map(workspacePackages().map(pkg => [pkg.manifest.name, pkg] as const))
const neededBy = (name: string): readonly string[] => {
  const { dependencies = {}, devDependencies = {} } = packages.get(name)?.manifest ?? {}
  return Object.keys({ ...dependencies, ...devDependencies }).filter(other => packages.has(other))
}
const dependenciesOf = (name: string): readonly string[] =>
  Object.keys(packages.get(name)?.manifest.dependencies ?? {}).filter(other => packages.has(other))

/** Returns names with everything that they lead to. */
function closure(names: readonly string[], next: (name: string) => readonly string[]): ReadonlySet<string> {
  const found = new Set(names)
  for (const name of found) for (const other of next(name)) found.add(other)
  return found
}

/** Returns the packages that pnpm selects by filters such as `godwit...`. */
const selected = (filters: readonly string[]): ReadonlySet<string> =>
  new Set(
    filters.flatMap(filter => (filter.endsWith('...') ? [...closure([filter.slice(0, -3)], neededBy)] : [filter])),
  )

test.each(['tutorial', 'react-app'])(
  'the pack command of docs/%s.md makes every package that the page installs',
  page => {
    const text = readFileSync(join(root, `docs/${page}.md`), 'utf8').replaceAll(/\s+/g, ' ')
    const [, command = ''] = /--recursive ((?:--filter \S+ )+)pack --pack-destination/.exec(text) ?? []
    const packed = selected([...command.matchAll(/--filter (\S+)/g)].map(([, filter = '']) => filter))
    const installed = [...text.matchAll(/npm install (?:--save-dev )?([^`.]+)/g)]
      .flatMap(([, words = '']) => words.split(' '))
      .filter(name => packages.has(name))
    expect(installed).toEqual(expect.arrayContaining(['@godwit/model', 'godwit']))
    expect([...closure(installed, dependenciesOf)].filter(name => !packed.has(name))).toEqual([])
    expect([...packed].filter(name => packages.get(name) === undefined)).toEqual([])
    expect(
      installed.filter(name => !isPublished(packages.get(name) as NonNullable<ReturnType<typeof packages.get>>)),
    ).toEqual([])
  },
)
