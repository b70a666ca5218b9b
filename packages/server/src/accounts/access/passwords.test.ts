import { expect, test } from '@jest/globals'
import { createPasswords, type KeyDerivation } from './passwords.js'

const passwords = createPasswords(16)

test('a hash verifies its password and no other', async () => {
  const hash = await passwords.hash('pässwörd')
  expect(await passwords.verify('pässwörd', hash)).toBe(true)
  expect(await passwords.verify('password', hash)).toBe(false)
})

test('one password has many hashes, none of which contains it', async () => {
  const [one, other] = await Promise.all([passwords.hash('x'), passwords.hash('x')])
  expect(one).not.toBe(other)
  expect(one).toMatch(/^scrypt\$16\$8\$3\$[\w-]{22}\$[\w-]{43}$/)
})

test('a hash made at another cost still verifies', async () => {
  expect(await createPasswords(32).verify('x', await passwords.hash('x'))).toBe(true)
})

test('a hash of N = 16,384 and p = 5, the earlier default, verifies', async () => {
  const hash = 'scrypt$16384$8$5$c2FsdHNhbHRzYWx0c2FsdA$GWMG07lzbPIBShc4Ece9Uknmr0JR12jQs8ANUraFmjQ'
  expect(await passwords.verify('pässwörd', hash)).toBe(true)
  expect(await passwords.verify('password', hash)).toBe(false)
})

test.each([undefined, '', 'plain', 'scrypt$16$8$5$salt$short'])('no password verifies against %j', async hash => {
  expect(await passwords.verify('', hash)).toBe(false)
})

/** Counts calls of scrypt, and how many run at once. */
function counting() {
  const asked: { readonly salt: string; readonly options: object }[] = []
  let running = 0
  let most = 0
  const derive: KeyDerivation = async (password, salt, length, options) => {
    asked.push({ salt: salt.toString('hex'), options })
    most = Math.max(most, ++running)
    await new Promise(resolve => setTimeout(resolve, 1))
    running--
    return Buffer.alloc(length, password)
  }
  return { asked, most: () => most, passwords: createPasswords(16, derive) }
}

test('concurrent passwords are hashed two at a time', async () => {
  const { passwords, asked, most } = counting()
  const hashes = await Promise.all(Array.from({ length: 20 }, (_, index) => passwords.hash(`${index}`)))
  expect([new Set(hashes).size, asked.length, most()]).toEqual([20, 20, 2])
})

test('an unknown user costs the same work as a known one, with a new salt each time', async () => {
  const { passwords, asked } = counting()
  const hash = await passwords.hash('x')
  expect(await passwords.verify('x', hash)).toBe(true)
  expect(await passwords.verify('x', undefined)).toBe(false)
  expect(await passwords.verify('x', undefined)).toBe(false)
  expect(asked).toHaveLength(4)
  expect(new Set(asked.map(({ options }) => JSON.stringify(options))).size).toBe(1)
  expect(new Set(asked.map(({ salt }) => salt)).size).toBe(3)
})
