import { SyncError } from '@godwit/admin-client'
import { expect, test } from '@jest/globals'
import { fieldErrorsOf, wholeNumberError } from './field-errors.js'

test('a number that is none, too small or too large is said by the name of its field', () => {
  const said = (text: string) => wholeNumberError('Priority', text, { min: 1, max: 1000 })
  expect(['', '1.5', '1e3', '0', '-1', '1001', ' 7 '].map(said)).toEqual([
    'Priority is a whole number',
    'Priority is a whole number',
    'Priority is a whole number',
    'Priority is at least 1',
    'Priority is at least 1',
    'Priority is at most 1,000',
    undefined,
  ])
})

test('what the server rejects is found at its field, without the path', () => {
  const errors = [
    { path: '/data/sync_priority', message: 'must be >= 1, got 0' },
    { path: '/attributes/login', message: 'expected a name' },
  ]
  expect(fieldErrorsOf(new SyncError('body_invalid', 'wrong', { details: { errors } }))).toEqual({
    sync_priority: 'Sync priority must be >= 1, got 0',
    login: 'Expected a name',
  })
  const exists = new SyncError('user_exists', 'A user ada exists already.')
  expect(fieldErrorsOf(exists, { user_exists: 'login' })).toEqual({ login: 'A user ada exists already.' })
  expect([fieldErrorsOf(exists), fieldErrorsOf(new Error('other'))]).toEqual([{}, {}])
})
