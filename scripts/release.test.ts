import { expect, test } from '@jest/globals'
import { inOrder, missingForRelease } from './release.js'

const ready = { changed: '', changesets: ['README.md', 'config.json'], repository: {}, withoutChangelog: [] }

test('each package is published after those that it depends on', () => {
  const packages = [
    { name: 'server', dependencies: { store: '1', protocol: '1', express: '5' } },
    { name: 'store', dependencies: { protocol: '1' } },
    { name: 'protocol' },
  ]
  expect(inOrder(packages).map(({ name }) => name)).toEqual(['protocol', 'store', 'server'])
})

test('a release waits for commits, changesets, changelogs and a repository', () => {
  expect(missingForRelease(ready)).toEqual([])
  const missing = missingForRelease({
    changed: ' M a.ts',
    changesets: ['README.md', 'one.md'],
    repository: undefined,
    withoutChangelog: ['@godwit/store'],
  })
  expect(missing).toEqual([
    'There are changed files: commit them.\n M a.ts',
    'There are 1 pending changesets: run `pnpm exec changeset version` and commit.',
    'The root package.json has no repository: provenance needs it. Run `node scripts/manifests.ts` then.',
    '@godwit/store has no CHANGELOG.md: write it.',
  ])
})
