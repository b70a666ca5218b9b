import type { RecordKind, RegistryRecord } from '@godwit/store'
import { LRUCache } from 'lru-cache'
import type { Database } from './database.js'

/** How many records are cached; beyond that the least recently used are evicted. */
const MAX_RECORDS = 2000

/** A cache of records until their next write, since each request of a device reads its session and its client. */
export class RecordCache {
  readonly #database: Pick<Database, 'now' | 'others'>
  readonly #records = new LRUCache<string, RegistryRecord>({ max: MAX_RECORDS })
  #others = 0

  constructor(database: Pick<Database, 'now' | 'others'>) {
    this.#database = database
  }

  /** Returns a cached record, or undefined if it must be read. Call it within a read. */
  get(kind: RecordKind, id: string): RegistryRecord | undefined {
    const { others, now } = this.#database
    if (others !== this.#others) this.#records.clear()
    this.#others = others
    const record = this.#records.get(nameOf(kind, id))
    return record?.expiresAt === undefined || record.expiresAt > now() ? record : undefined
  }

  /** Caches a record, frozen, since several callers get the same object. */
  keep(kind: RecordKind, record: RegistryRecord): RegistryRecord {
    this.#records.set(nameOf(kind, record.id), Object.freeze(record))
    Object.freeze(record.value)
    return record
  }

  /** Evicts a record (without an id: all) as soon as a write to it is on disk, before the write resolves. */
  async written<Result>(write: Promise<Result>, kind?: RecordKind, id?: string): Promise<Result> {
    try {
      return await write
    } finally {
      if (kind === undefined || id === undefined) this.#records.clear()
      else this.#records.delete(nameOf(kind, id))
    }
  }
}

/** Ids as they are stored. */
const nameOf = (kind: RecordKind, id: string): string => `${kind} ${id.toWellFormed()}`
