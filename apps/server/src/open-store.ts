import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { SyncError } from '@godwit/protocol'
import { type Jobs, openMemoryJobs, openMemoryStore, type Store } from '@godwit/store'
import { openSqliteStore } from '@godwit/store-sqlite'

/** A store, and beside it what drives jobs: as durable as the store is, but for Redis, where each process has its own until its queues are there: what they miss, the sweep of the journal finds. */
export interface OpenStore extends Store {
  readonly jobs: Jobs
}

const EXPECTED = 'sqlite:PATH, redis://HOST:PORT, redis-cluster://H1:P1,H2:P2 or memory:'

/** Scheme → what opens an address. */
const drivers: { readonly [scheme: string]: (address: string) => OpenStore | Promise<OpenStore> } = {
  memory: () => ({ ...openMemoryStore(), jobs: openMemoryJobs() }),
  sqlite: address => openSqlite(address.slice('sqlite:'.length)),
  redis: openRedis,
  rediss: openRedis,
  'redis-cluster': openRedis,
  'rediss-cluster': openRedis,
  'redis-sentinel': openRedis,
  'rediss-sentinel': openRedis,
}

/** Opens the store of an address, like `sqlite:data/godwit.sqlite`. Errors name its scheme, never the rest: it may hold a password. */
export async function openStore(address: string): Promise<OpenStore> {
  const [, scheme = ''] = /^([a-z-]+):/.exec(address) ?? []
  const open = Object.hasOwn(drivers, scheme) ? drivers[scheme] : undefined
  if (open === undefined) {
    throw new SyncError(
      'value_not_allowed',
      `SYNC_STORE: expected ${EXPECTED}, got ${scheme === '' ? 'an address without a scheme' : `the scheme ${scheme}:`}.`,
    )
  }
  return open(address)
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

/** Its library is loaded only where it is used: it takes longer than everything else together. */
async function openRedis(address: string): Promise<OpenStore> {
  const { connectRedisStore } = await import('@godwit/store-redis')
  try {
    return { ...(await connectRedisStore(address)), jobs: openMemoryJobs() }
  } catch (cause) {
    const { code, message } = cause as SyncError
    throw new SyncError(code, `SYNC_STORE: ${message}`, { cause, retryable: false })
  }
}
