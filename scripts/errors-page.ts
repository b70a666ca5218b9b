/** Writes docs/errors.md from the table of error codes. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RETRYABLE_CODES } from '../packages/protocol/src/errors/codes.ts'
import { errorsPage } from '../packages/protocol/src/errors/errors-page.ts'
import { ERROR_CODES } from '../packages/protocol/src/errors/meanings.ts'
import { root } from './workspace.ts'

writeFileSync(join(root, 'docs/errors.md'), errorsPage(ERROR_CODES, RETRYABLE_CODES))
