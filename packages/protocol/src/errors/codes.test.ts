import { expect, test } from '@jest/globals'
import { isErrorCode, RETRYABLE_CODES } from './codes.js'
import { ERROR_CODES } from './meanings.js'

test('every code that the reference explains is known, and nothing else is', () => {
  for (const code of Object.keys(ERROR_CODES)) expect(isErrorCode(code)).toBe(true)
  for (const code of RETRYABLE_CODES) expect(ERROR_CODES).toHaveProperty(code)
  for (const other of [
    '',
    'constructor',
    '__proto__',
    'Offline',
    'code_of_a_newer_server',
    undefined,
    null,
    7,
    ['offline'],
  ])
    expect(isErrorCode(other)).toBe(false)
})
