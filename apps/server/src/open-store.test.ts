import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { openStore } from './open-store.js'
import { sqlitePath } from './store-address.js'

const directory = mkdtempSync(join(tmpdir(), 'godwit-open-store-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

describe('the address of a store', () => {
  test.each(['memory:', 'sqlite::memory:', `sqlite:${directory}/made/on/demand.sqlite`])(
    '%s opens one',
    async address => {
      const store = await openStore(address)
      await store.check()
      await store.close()
    },
  )

  test.each([
    ['redis://user:secret@127.0.0.1:1', 'store_unavailable', 'SYNC_STORE: Cannot use the Redis at 127.0.0.1:1: '],
    ['redis-cluster://secret@127.0.0.1:1,127.0.0.1:2', 'store_unavailable', 'at 127.0.0.1:1, 127.0.0.1:2: '],
    ['redis-sentinel://user:secret@127.0.0.1:1', 'value_not_allowed', 'got no name'],
    ['rediss://user:secret@redis.example:port', 'value_not_allowed', 'got a host or port that is none'],
  ])('%s that cannot be opened says why, and no secrets', async (address, code, message) => {
    const opening = openStore(address)
    await expect(opening).rejects.toMatchObject({ code, message: expect.stringContaining(message) })
    await expect(opening).rejects.not.toThrow('secret')
  })

  test.each([
    ['postgres://user:secret@db', 'got the scheme postgres:'],
    ['data/godwit.sqlite', 'got an address without a scheme'],
    ['constructor:', 'got the scheme constructor:'],
  ])('%s is refused, with what is built in', async (address, got) => {
    await expect(openStore(address)).rejects.toThrow(
      `SYNC_STORE: expected sqlite:PATH, redis://HOST:PORT, redis-cluster://H1:P1,H2:P2 or memory:, ${got}.`,
    )
  })

  test('needs a path for SQLite', async () => {
    await expect(openStore('sqlite:')).rejects.toThrow('SYNC_STORE: expected a path after sqlite:, got none.')
  })

  test('that cannot be opened is named, with the reason', async () => {
    const file = join(directory, 'a-file')
    writeFileSync(file, 'something else')
    await expect(openStore(`sqlite:${file}/store.sqlite`)).rejects.toThrow(
      `SYNC_STORE: cannot open the store ${file}/store.sqlite: `,
    )
    await expect(openStore(`sqlite:${file}`)).rejects.toThrow(`SYNC_STORE: cannot open the store ${file}: `)
  })
})

test('a store with a file has a path', () => {
  expect(['sqlite:data/a.sqlite', 'sqlite::memory:', 'memory:'].map(sqlitePath)).toEqual([
    'data/a.sqlite',
    undefined,
    undefined,
  ])
})
