import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { readSettings } from './config.js'
import { storeAddress } from './store-address.js'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'godwit-secrets-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(text: string): string {
  const path = join(folder, `${Math.random()}`)
  writeFileSync(path, text)
  return path
}

const refusal = (read: () => unknown): string => {
  try {
    read()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('nothing was refused')
}

describe('a secret in a file', () => {
  test.each([
    ['SYNC_ADMIN_PASSWORD_FILE', 'a long one of words\n', { adminPassword: 'a long one of words' }],
    ['SYNC_ADMIN_PASSWORD_FILE', ' with spaces \r\n', { adminPassword: ' with spaces ' }],
    ['SYNC_METRICS_TOKEN_FILE', 'a token\n', { metricsToken: 'a token' }],
    ['SYNC_STORE_FILE', 'redis://:secret@cache:6379\n', { store: 'redis://:secret@cache:6379' }],
  ])('%s is read without the end of its line', (name, text, expected) => {
    expect(readSettings({ [name]: file(text) })).toMatchObject(expected)
  })

  test('satisfies production, and is held to the same', () => {
    const production = (text: string) => readSettings({ NODE_ENV: 'production', SYNC_ADMIN_PASSWORD_FILE: file(text) })
    expect(production('a long one of words')).toMatchObject({ adminPassword: 'a long one of words' })
    expect(refusal(() => production('admin'))).toMatch(/^SYNC_ADMIN_PASSWORD: expected at least 12 characters/)
  })

  test('is refused where the file is missing or empty, or the variable is set too, and is never repeated', () => {
    const given = (path: string, more = {}) => refusal(() => readSettings({ SYNC_ADMIN_PASSWORD_FILE: path, ...more }))
    expect(given(join(folder, 'none'))).toMatch(
      /^SYNC_ADMIN_PASSWORD_FILE: expected the path of a file .* \(ENOENT\)\.$/,
    )
    expect(given(file('\n'))).toMatch(/^SYNC_ADMIN_PASSWORD_FILE: expected a file with a secret, .* is empty\.$/)
    const both = given(file('hidden words'), { SYNC_ADMIN_PASSWORD: 'other words', NODE_ENV: 'production' })
    expect(both).toBe('SYNC_ADMIN_PASSWORD_FILE: expected this or SYNC_ADMIN_PASSWORD, got both.')
  })
})

describe('the password of Redis', () => {
  test.each([
    ['redis://cache:6379', 'redis://:p%40ss%2Fword@cache:6379'],
    ['redis://user:@cache:6379/2', 'redis://user:p%40ss%2Fword@cache:6379/2'],
    ['rediss-sentinel://a,b:2/main?prefix=x:', 'rediss-sentinel://:p%40ss%2Fword@a,b:2/main?prefix=x:'],
  ])('stands in %s', (address, expected) => {
    expect(storeAddress({ SYNC_STORE: address, SYNC_REDIS_PASSWORD: 'p@ss/word' })).toBe(expected)
    expect(storeAddress({ SYNC_STORE: address, SYNC_REDIS_PASSWORD_FILE: file('p@ss/word\n') })).toBe(expected)
  })

  test('is refused beside another one, and for another store', () => {
    const given = (address: string) =>
      refusal(() => readSettings({ SYNC_STORE: address, SYNC_REDIS_PASSWORD: 'hidden' }))
    expect(given('redis://:other@cache')).toMatch(/^SYNC_REDIS_PASSWORD: expected none in the address as well/)
    expect(given('sqlite:a.sqlite')).toMatch(/^SYNC_REDIS_PASSWORD: expected a redis: store/)
    expect(given('redis://:other@cache')).not.toMatch(/hidden|:other/)
  })
})
