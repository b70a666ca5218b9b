import { closeSync, mkdtempSync, openSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSyncServer } from '@godwit/server'
import type { Store } from '@godwit/store'
import { connectRedisStore } from '@godwit/store-redis'
import { openSqliteStore } from '@godwit/store-sqlite'
import { askRedis, redisIsThere, startRedis, until } from '@godwit/testing'
import { afterEach, describe, expect, test } from '@jest/globals'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

const lines: string[] = []
const note = ({ error }: { readonly error?: string }, message: string): void =>
  void lines.push(`${message}: ${error ?? ''}`)
const log = { error: note, warn: note, info: note, debug: () => {} }

/** Starts a server on a store. Returns what its health endpoints say, in one line. */
function serve(store: Store): () => Promise<string> {
  lines.length = 0
  const server = createSyncServer({
    store,
    log,
    sources: [],
    users: [{ login: 'ada', password: 'ada' }],
    limits: { passwordCost: 16 },
  })
  cleanups.push(
    () => store.close().catch(() => undefined),
    () => server.close(),
  )
  const ask = (path: string) => server.fetch(new Request(`http://sync.test${path}`))
  return async () => {
    const ready = await ask('/readyz')
    const { detail = '' } = (await ready.json()) as { readonly detail?: string }
    const up = /^godwit_store_up (\d)$/m.exec(await (await ask('/metrics')).text())?.[1]
    return `${ready.status}, up ${up}. ${detail}`.trim()
  }
}

const READY = '200, up 1.'

describe('a SQLite file', () => {
  const NOTES = { source: 'Note', partition: '*' }
  const merge = Object.fromEntries(Array.from({ length: 1000 }, (_, id) => [`${id}`, { text: 'x'.repeat(3000) }]))

  async function openLarge() {
    const folder = mkdtempSync(join(tmpdir(), 'godwit-torn-'))
    cleanups.push(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'store.sqlite')
    const first = await openSqliteStore(path)
    await first.collections.apply(NOTES, { merge })
    await first.close()
    const store = await openSqliteStore(path)
    return { path, store, state: serve(store) }
  }

  test('that is cut under a running server is not ready any more', async () => {
    const { path, state } = await openLarge()
    expect(await state()).toBe(READY)
    truncateSync(path, Math.floor(statSync(path).size / 2))
    expect(await state()).toMatch(/^503, up 0\. .*damaged: it was cut from \d+ to \d+ bytes.*restore a backup/)
    expect(await state()).toMatch(/^503, up 0/)
    expect(lines.filter(line => line.startsWith('the store is not ready'))).toHaveLength(1)
  })

  test('with overwritten pages is not ready after the first look or the first read of them', async () => {
    for (const look of ['integrity', 'read'] as const) {
      const { path, store, state } = await openLarge()
      expect(await state()).toBe(READY)
      const from = 64 * 4096
      const file = openSync(path, 'r+')
      writeSync(file, Buffer.alloc(statSync(path).size - from, 7), 0, undefined, from)
      closeSync(file)
      if (look === 'integrity') await store.checkIntegrity()
      else await expect(store.collections.list(NOTES, { limit: 1000 })).rejects.toThrow()
      expect(await state()).toMatch(/^503, up 0\. .*damaged: /)
    }
  })
})

const testOnRedis = redisIsThere() ? test : test.skip

testOnRedis('a Redis that may evict keys is not ready until its policy is noeviction again', async () => {
  const redis = await startRedis()
  cleanups.push(() => redis.stop())
  const state = serve(await connectRedisStore(redis.url))
  expect(await state()).toBe(READY)
  await askRedis(redis, 'CONFIG SET maxmemory-policy allkeys-lru')
  expect(await state()).toMatch(/^503, up 0\. .*maxmemory-policy is allkeys-lru\. Set it to noeviction/)
  expect(lines.join()).toMatch(/the store is not ready: .*allkeys-lru/)
  await askRedis(redis, 'CONFIG SET maxmemory-policy noeviction')
  await until(async () => (await state()) === READY)
  expect(lines.join()).toMatch(/the store is ready again/)
})
