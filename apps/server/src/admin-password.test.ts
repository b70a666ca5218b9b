import { describe, expect, test } from '@jest/globals'
import { flawOfPassword } from './admin-password.js'

describe('the password of an admin in production', () => {
  test.each([
    ['short', 'at least 12 characters, got 5'],
    ['elevenchars', 'at least 12 characters, got 11'],
    ['🔑🔑🔑🔑🔑🔑', 'at least 12 characters, got 6'],
    ['            ', 'at least 6 different characters, got 1'],
    ['aaaabbbbccccdddd', 'at least 6 different characters, got 4'],
    ['operatorOperator', 'more than the login, got the repeated login'],
    ['operator12345', 'more than the login, got the repeated login'],
    ['123456789012', 'no sequence such as abcdef or 123456, got one'],
    ['abcdefghijkl', 'no sequence such as abcdef or 123456, got one'],
    ['zyxwvutsrqpo', 'no sequence such as abcdef or 123456, got one'],
    ...[
      'Password1234',
      'P@ssw0rd2024!',
      'qwerty123456',
      '1q2w3e4r5t6y',
      '1qaz2wsx3edc',
      'Welcome2Godwit!',
      'changeme-2026',
      'Summer2026!!!',
      'administrator1',
      'correct horse battery staple',
      'letmein!letmein!',
      '🔑Password🔑123456',
      '48151623421234',
    ].map(password => [password, 'an uncommon password, got a common one'] as const),
  ])('is not %j', (password, flaw) => {
    expect(flawOfPassword(password, 'operator')).toBe(flaw)
  })

  test.each([
    'a long one of words',
    'a long admin password',
    'tulips on the admin desk',
    'Xq7-rT9_vLk2',
    ' spaces belong to it ',
    'öäüß-öäüß-ñç',
  ])('may be %j', password => {
    expect(flawOfPassword(password, 'operator')).toBeUndefined()
  })
})
