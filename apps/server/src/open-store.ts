import { SyncError } from '@godwit/protocol'
import { type Jobs, openMemoryJobs, openMemoryStore, type Store } from '@godwit/store'
import {
  type Durability,
  lockSqliteStore,
  openSqliteStore,
  type SqliteStore,
  type StoreLock,
} from '@godwit/store-sqlite'
import { sqlitePath } from './store-address.js'

/** A store with its job queue, which is as durable and as shared as the store. `close` closes both. */
export interface OpenStore extends Store {
  readonly jobs: Jobs
  /** Absent if the store has no integrity check. */
  readonly checkIntegrity?: SqliteStore['checkIntegrity']
}

/** Settings that apply only to some stores. */
export interface StoreSettings {
  readonly replicas?: number | undefined
  /** Default `full`. */
  readonly durability?: Durability | undefined
}

type OpenByScheme = (address: string, settings: StoreSettings) => OpenStore | Promise<OpenStore>

const ADDRESS_FORMS = 'sqlite:PATH, redis://HOST:PORT, redis-cluster://H1:P1,H2:P2 or memory:'

/** Scheme → function that opens the store of an address. */
const drivers: { readonly [scheme: string]: OpenByScheme } = {
  memory: () => ({ ...openMemoryStore(), jobs: openMemoryJobs() }),
  sqlite: (address, settings) => openSqlite(address.slice('sqlite:'.length), settings),
  redis: openRedis,
  rediss: openRedis,
  'redis-cluster': openRedis,
  'rediss-cluster': openRedis,
  'redis-sentinel': openRedis,
  'rediss-sentinel': openRedis,
}

/** Opens the store of an address, like `sqlite:data/godwit.sqlite`. Errors name the scheme only, since the rest may contain a password. */
export async function openStore(address: string, settings: StoreSettings = {}): Promise<OpenStore> {
  const [, scheme = ''] = /^([a-z-]+):/.exec(address) ?? []
  const open = Object.hasOwn(drivers, scheme) ? drivers[scheme] : undefined
  if (open === undefined) {
    throw new SyncError(
      'value_not_allowed',
      `SYNC_STORE: expected ${ADDRESS_FORMS}, got ${scheme === '' ? 'an address without a scheme' : `the scheme ${scheme}:`}.`,
    )
  }
  return open(address, settings)
}

/** Prevents a second server on a store that only one process may serve; undefined for other stores. */
export function lockStore(address: string): StoreLock | undefined {
  const path = sqlitePath(address)
  try {
    return path === undefined ? undefined : lockSqliteStore(path)
  } catch (cause) {
    throw cannotOpen(path ?? '', cause)
  }
}

async function openSqlite(path: string, { durability = 'full' }: StoreSettings): Promise<OpenStore> {
  if (path === '') throw new SyncError('value_not_allowed', 'SYNC_STORE: expected a path after sqlite:, got none.')
  try {
    return await openSqliteStore(path, { durability })
  } catch (cause) {
    throw cannotOpen(path, cause)
  }
}

const cannotOpen = (path: string, cause: unknown): SyncError =>
  new SyncError('store_unavailable', `SYNC_STORE: cannot open the store ${path}: ${(cause as Error).message}`, {
    cause,
  })

/** Loads the Redis libraries only when used, since loading them takes longer than everything else. */
async function openRedis(address: string, { replicas }: StoreSettings): Promise<OpenStore> {
  const [{ connectRedisStore }, { connectRedisJobs }] = await Promise.all([
    import('@godwit/store-redis'),
    import('@godwit/store-redis/jobs'),
  ])
  let store: Store | undefined
  try {
    store = await connectRedisStore(address, replicas === undefined ? {} : { replicas })
    const jobs = await connectRedisJobs(address)
    return { ...store, jobs, close: closeOf(jobs, store) }
  } catch (cause) {
    await store?.close()
    const { code, message } = cause as SyncError
    throw new SyncError(code, `SYNC_STORE: ${message}`, { cause, retryable: false })
  }
}

/** Returns a function that closes the resources one after the other. */
const closeOf =
  (...opened: readonly { close(): Promise<void> }[]) =>
  async (): Promise<void> => {
    for (const thing of opened) await thing.close()
  }
