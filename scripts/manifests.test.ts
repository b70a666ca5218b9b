import { expect, test } from '@jest/globals'
import { manifests, withOrigin } from './manifests.js'

test('published manifests say where the project is as the root does (else run node scripts/manifests.ts)', () => {
  expect(manifests().length).toBeGreaterThan(10)
  for (const [file, has, expected] of manifests()) expect([file, has]).toEqual([file, expected])
})

test('a manifest gets the fields of the root after its license, with its folder in the repository', () => {
  const manifest = { name: 'one', license: 'Apache-2.0', bugs: { url: 'https://old.example' }, type: 'module' }
  const origin = { keywords: ['sync'], repository: { type: 'git', url: 'git+https://host.example/godwit.git' } }
  expect(JSON.stringify(withOrigin(manifest, origin, 'packages/one'))).toBe(
    JSON.stringify({
      name: 'one',
      license: 'Apache-2.0',
      keywords: ['sync'],
      repository: { type: 'git', url: 'git+https://host.example/godwit.git', directory: 'packages/one' },
      type: 'module',
    }),
  )
})
