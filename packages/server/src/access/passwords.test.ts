import { expect, test } from '@jest/globals'
import { createPasswords } from './passwords.js'

const passwords = createPasswords(16)

test('a hash verifies its password and no other', async () => {
  const hash = await passwords.hash('pässwörd')
  expect(await passwords.verify('pässwörd', hash)).toBe(true)
  expect(await passwords.verify('password', hash)).toBe(false)
})

test('one password has many hashes, none of which shows it', async () => {
  const [one, other] = await Promise.all([passwords.hash('x'), passwords.hash('x')])
  expect(one).not.toBe(other)
  expect(one).toMatch(/^scrypt\$16\$8\$5\$[\w-]{22}\$[\w-]{43}$/)
})

test('a hash made at another cost still verifies', async () => {
  expect(await createPasswords(32).verify('x', await passwords.hash('x'))).toBe(true)
})

test.each([undefined, '', 'plain', 'scrypt$16$8$5$salt$short'])('nothing verifies against %j', async hash => {
  expect(await passwords.verify('', hash)).toBe(false)
})

test('many at once all end, two at a time', async () => {
  const hash = await passwords.hash('x')
  const verdicts = await Promise.all(
    Array.from({ length: 20 }, (_, index) => passwords.verify(index < 10 ? 'x' : 'y', hash)),
  )
  expect(verdicts.filter(Boolean)).toHaveLength(10)
})
