import type { CollectionId, Store } from '@godwit/store'
import type { Log } from '../log.js'
import type { Limits } from '../options.js'
import { RecentMap } from '../recent-map.js'
import { messageOf } from '../sources/refusal.js'
import { type ClientRecord, noteStanding, type ReaderPosition } from '../users/client-record.js'
import { isBarred } from '../users/user-record.js'

/** What was written lately of a client in a collection, so that most pulls write nothing. Forgetting costs a write, not a fact. */
export interface ReaderNote {
  /** When the reader was last noted, in milliseconds since 1970. */
  at: number
  acknowledged: number
  /** Whether the device was in a pass from zero, and under which nonce and epoch, as text. '': nothing was noted. */
  kind: string
}

/** Milliseconds after which the note of a device that does not pull may go. */
const IDLE = 10 * 60_000
const MAX_NOTES = 100_000

/** Milliseconds in which positions gather that are written together: many devices may pull at once, and each commit by itself waits for the disk. */
export const GATHER = 100

/** Whose pull it is. */
export interface ReaderContext {
  readonly collection: CollectionId
  readonly client: ClientRecord
  readonly note: ReaderNote
}

/** Where a device stands. */
export interface ReaderStanding {
  /** The floor stays below it. */
  readonly base: number
  readonly standing: ReaderPosition
}

interface ReaderNotesOptions {
  readonly store: Store
  readonly clock: () => number
  readonly limits: Pick<Limits, 'readerNote'>
  readonly log: Log
  readonly stopping: AbortSignal
}

/** The notes of one process, and the positions that wait to be written together. */
export class ReaderNotes {
  readonly #options: ReaderNotesOptions
  readonly #notes: RecentMap<ReaderNote>
  #gatheredWrites: (() => Promise<unknown>)[] | undefined

  constructor(options: ReaderNotesOptions) {
    this.#options = options
    this.#notes = new RecentMap({ clock: options.clock, idle: IDLE, capacity: MAX_NOTES })
  }

  /** The note of a client in a collection; an empty one where there is none yet. */
  of({ source, partition }: CollectionId, client: string): ReaderNote {
    const key = JSON.stringify([source, partition, client])
    const known = this.#notes.get(key)
    if (known) return known
    const fresh = { at: Number.NEGATIVE_INFINITY, acknowledged: 0, kind: '' }
    this.#notes.set(key, fresh)
    return fresh
  }

  /** Tells the journal what the device has applied, once per number. */
  async acknowledge({ collection, client, note }: ReaderContext, through: number): Promise<void> {
    if (through <= note.acknowledged) return
    await this.#options.store.journal.acknowledge(collection, client.id, through)
    note.acknowledged = through
  }

  /** Writes in the background where the device stands: at once when it has finished a pass or begun from zero, else at intervals and with others. */
  write({ collection, client, note }: ReaderContext, { base, standing }: ReaderStanding): void {
    const { store, clock, limits, log } = this.#options
    const now = clock()
    const [nonce, epoch, version] = standing
    const kind = JSON.stringify([nonce, epoch, version === undefined])
    const isNews = kind !== note.kind
    // A time ahead of the clock is one of before it was set back.
    if (!isNews && now >= note.at && now - note.at < limits.readerNote * 1000) return
    note.at = now
    note.kind = kind
    // Where a device stands in a pass from zero is what operators read.
    const isShown = isNews || version !== undefined
    const write = (): Promise<unknown> =>
      Promise.all([
        isShown && noteStanding(store, client, collection, standing),
        store.collections
          .noteReader(collection, client.id, base)
          .then(() => forgetIfRemoved(store, collection, client)),
      ]).catch(error => log.warn({ error: messageOf(error) }, 'the position of a device was not noted'))
    if (isShown || limits.readerNote === 0) void write()
    else this.#writeLater(write)
  }

  #writeLater(write: () => Promise<unknown>): void {
    if (this.#gatheredWrites) return void this.#gatheredWrites.push(write)
    const writes = [write]
    this.#gatheredWrites = writes
    setTimeout(() => {
      this.#gatheredWrites = undefined
      if (!this.#options.stopping.aborted) for (const one of writes) void one()
    }, GATHER).unref()
  }
}

/** A client that was removed while its position was being written would hold the floor for as long as readers do. */
async function forgetIfRemoved(
  { registry, collections }: Store,
  collection: CollectionId,
  { id, user: login }: ClientRecord,
): Promise<void> {
  const [client, user] = await Promise.all([registry.get('client', id), registry.get('user', login)])
  if (!client || !user || isBarred(user)) await collections.dropReader(collection, id)
}
