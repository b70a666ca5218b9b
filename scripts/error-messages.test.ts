import { expect, test } from '@jest/globals'
import { flawsOf } from './error-messages.ts'

test.each([
  'limits.x: expected 1 or more, got 0.',
  'The session has expired. Log in again.',
  'There is no user ….',
  'There is no model …: expected one of ….',
])('%j is in the grammar', message => expect(flawsOf(message)).toEqual([]))

test.each([
  ['The session has expired.', 'what to do'],
  ['expected a name.', 'what came'],
  ['Expected a name, got none.', 'small letters'],
  ['The name must be short: shorten it.', 'expected X, got Y'],
  ['… is no name: choose another.', 'is not a'],
  ['Nobody is signed in: log in.', 'which one'],
])('%j is not, and the check says why', (message, flaw) => expect(flawsOf(message).join()).toContain(flaw))

test('a part of a message is held to the words alone', () => {
  expect(flawsOf('a number', { isFragment: true })).toEqual([])
  expect(flawsOf('it must be a number', { isFragment: true })).toHaveLength(1)
})
