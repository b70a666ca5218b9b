import { describe, expect, test } from '@jest/globals'
import { flawOfPassword } from './admin-password.js'

describe('the password of an admin in production', () => {
  test.each([
    ['short', 'at least 12 characters, got 5'],
    ['elevenchars', 'at least 12 characters, got 11'],
    ['🔑🔑🔑🔑🔑🔑', 'at least 12 characters, got 6'],
    ['            ', 'at least 6 different characters, got 1'],
    ['aaaabbbbccccdddd', 'at least 6 different characters, got 4'],
    ['operatorOperator', 'more than the login, got the login over and over'],
    ['operator12345', 'more than the login, got the login over and over'],
    ['123456789012', 'no run like abcdef or 123456, got one'],
    ['abcdefghijkl', 'no run like abcdef or 123456, got one'],
    ['zyxwvutsrqpo', 'no run like abcdef or 123456, got one'],
  ])('is not %j', (password, flaw) => {
    expect(flawOfPassword(password, 'operator')).toBe(flaw)
  })

  test.each(['a long one of words', 'Xq7-rT9_vLk2', ' spaces belong to it ', 'öäüß-öäüß-ñç'])('may be %j', password => {
    expect(flawOfPassword(password, 'operator')).toBeUndefined()
  })
})
