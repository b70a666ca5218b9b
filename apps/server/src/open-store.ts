import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { SyncError } from '@godwit/protocol'
import { type Jobs, openMemoryJobs, openMemoryStore, type Store } from '@godwit/store'
import { openSqliteStore } from '@godwit/store-sqlite'

/** A store, and beside it what drives jobs: as durable as the store is. */
export interface OpenStore extends Store {
  readonly jobs: Jobs
}

/** Scheme → what opens the rest of the address. */
const drivers: { readonly [scheme: string]: (rest: string) => OpenStore | Promise<OpenStore> } = {
  memory: () => ({ ...openMemoryStore(), jobs: openMemoryJobs() }),
  sqlite: openSqlite,
  redis: noRedisYet,
  rediss: noRedisYet,
  'redis-cluster': noRedisYet,
}

/** Opens the store of an address, like `sqlite:data/godwit.sqlite`. Errors name its scheme, never the rest: it may hold a password. */
export async function openStore(address: string): Promise<OpenStore> {
  const [, scheme = '', rest = ''] = /^([a-z-]+):(.*)$/s.exec(address) ?? []
  const open = Object.hasOwn(drivers, scheme) ? drivers[scheme] : undefined
  if (open === undefined) {
    throw new SyncError(
      'value_not_allowed',
      `SYNC_STORE: expected sqlite:PATH or memory:, got ${scheme === '' ? 'an address without a scheme' : `the scheme ${scheme}:`}.`,
    )
  }
  return open(rest)
}

/** The path in the address of a SQLite store; undefined where the store has no file. */
export function sqlitePath(address: string): string | undefined {
  const path = address.startsWith('sqlite:') ? address.slice('sqlite:'.length) : ''
  return path === '' || path === ':memory:' ? undefined : path
}

async function openSqlite(path: string): Promise<OpenStore> {
  if (path === '') throw new SyncError('value_not_allowed', 'SYNC_STORE: expected a path after sqlite:, got none.')
  try {
    if (path !== ':memory:') await mkdir(dirname(path), { recursive: true })
    return await openSqliteStore(path)
  } catch (cause) {
    throw new SyncError('store_unavailable', `SYNC_STORE: cannot open the store ${path}: ${(cause as Error).message}`, {
      cause,
    })
  }
}

function noRedisYet(): never {
  throw new SyncError(
    'value_not_allowed',
    'SYNC_STORE: the Redis store is not built in yet. Use sqlite:PATH or memory:.',
  )
}
