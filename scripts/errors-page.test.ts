import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { RETRYABLE_CODES } from '../packages/protocol/src/errors/codes.js'
import { errorsPage } from '../packages/protocol/src/errors/errors-page.js'
import { ERROR_CODES } from '../packages/protocol/src/errors/meanings.js'
import { root } from './workspace.js'

test('docs/errors.md matches the table of codes (else run node scripts/errors-page.ts)', () => {
  const page = readFileSync(join(root, 'docs/errors.md'), 'utf8')
  expect(page).toBe(errorsPage(ERROR_CODES, RETRYABLE_CODES))
})
