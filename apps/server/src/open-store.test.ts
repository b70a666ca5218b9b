import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { openStore, sqlitePath } from './open-store.js'

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

  test.each(['redis://127.0.0.1:6379', 'rediss://user:secret@redis.example', 'redis-cluster://a:1,b:2'])(
    '%s says that Redis is not built in yet, and no secrets',
    async address => {
      const opening = openStore(address)
      await expect(opening).rejects.toThrow(
        'SYNC_STORE: the Redis store is not built in yet. Use sqlite:PATH or memory:.',
      )
      await expect(opening).rejects.not.toThrow('secret')
    },
  )

  test.each([
    ['postgres://user:secret@db', 'got the scheme postgres:'],
    ['data/godwit.sqlite', 'got an address without a scheme'],
    ['constructor:', 'got the scheme constructor:'],
  ])('%s is refused, with what is built in', async (address, got) => {
    await expect(openStore(address)).rejects.toThrow(`SYNC_STORE: expected sqlite:PATH or memory:, ${got}.`)
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
