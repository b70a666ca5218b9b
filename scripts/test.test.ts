import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { root } from './workspace.ts'

test('a run of one file, in the process of jest itself, goes on to its result', () => {
  const words = [join(root, 'scripts/test.ts'), 'packages/protocol/src/checksum.test.ts']
  const told = execFileSync(process.execPath, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  expect(told).toMatch(/^[1-9]\d* passed, 0 failed, 0 skipped$/m)
}, 120_000)
