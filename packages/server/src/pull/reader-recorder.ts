import type { CollectionId, Store } from '@godwit/store'
import type { Log } from '../log.js'
import type { Limits } from '../options.js'
import { RecentMap } from '../recent-map.js'
import { messageOf } from '../sources/refusal.js'
import { type ClientRecord, type ReaderPosition, recordPosition } from '../users/client-record.js'
import { isBarred } from '../users/user-record.js'

/** The last written position of a client in a collection, so that most pulls write nothing. Losing it costs one write. */
export interface RecordedReader {
  /** When the reader was last written, in milliseconds since 1970. */
  at: number
  acknowledged: number
  /** Nonce and epoch, and whether the device was in a pass from zero, as text. '': nothing was written. */
  kind: string
}

/** Milliseconds after which the entry of an inactive device may be removed. */
const IDLE = 10 * 60_000
const MAX_READERS = 100_000

/** Milliseconds during which positions are collected for one write: many devices may pull at once, and each separate commit waits for the disk. */
export const GATHER = 100

/** The client and collection of a pull. */
export interface ReaderContext {
  readonly collection: CollectionId
  readonly client: ClientRecord
  readonly recorded: RecordedReader
}

/** The progress of a device in a collection. */
export interface ReaderProgress {
  /** The floor stays below this version. */
  readonly base: number
  readonly position: ReaderPosition
}

interface ReaderRecorderOptions {
  readonly store: Store
  readonly clock: () => number
  readonly limits: Pick<Limits, 'readerNote'>
  readonly log: Log
  readonly stopping: AbortSignal
}

/** Writes the positions of readers, at most once per `readerNote` seconds each, in shared commits. */
export class ReaderRecorder {
  readonly #options: ReaderRecorderOptions
  readonly #recorded: RecentMap<RecordedReader>
  #gatheredWrites: (() => Promise<unknown>)[] | undefined

  constructor(options: ReaderRecorderOptions) {
    this.#options = options
    this.#recorded = new RecentMap({ clock: options.clock, idle: IDLE, capacity: MAX_READERS })
  }

  /** Returns the entry of a client in a collection; an empty one if there is none. */
  of({ source, partition }: CollectionId, client: string): RecordedReader {
    const key = JSON.stringify([source, partition, client])
    const known = this.#recorded.get(key)
    if (known) return known
    const fresh = { at: Number.NEGATIVE_INFINITY, acknowledged: 0, kind: '' }
    this.#recorded.set(key, fresh)
    return fresh
  }

  /** Acknowledges in the journal the outcomes that the device applied, once per number. */
  async acknowledge({ collection, client, recorded }: ReaderContext, through: number): Promise<void> {
    if (through <= recorded.acknowledged) return
    await this.#options.store.journal.acknowledge(collection, client.id, through)
    recorded.acknowledged = through
  }

  /** Writes the device's position in the background: at once when it ends a pass or starts from zero, else at intervals and together with others. */
  write({ collection, client, recorded }: ReaderContext, { base, position }: ReaderProgress): void {
    const { store, clock, limits, log } = this.#options
    const now = clock()
    const [nonce, epoch, version] = position
    const kind = JSON.stringify([nonce, epoch, version === undefined])
    const isNews = kind !== recorded.kind
    // A time in the future is from before the clock was set back.
    if (!isNews && now >= recorded.at && now - recorded.at < limits.readerNote * 1000) return
    recorded.at = now
    recorded.kind = kind
    // Operators see the position within a pass from zero.
    const isShown = isNews || version !== undefined
    const write = (): Promise<unknown> =>
      Promise.all([
        isShown && recordPosition(store, client, collection, position),
        store.collections
          .recordReader(collection, client.id, base)
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

/** Removes the reader of a client that was deleted during the write, since it would hold the floor until readers expire. */
async function forgetIfRemoved(
  { registry, collections }: Store,
  collection: CollectionId,
  { id, user: login }: ClientRecord,
): Promise<void> {
  const [client, user] = await Promise.all([registry.get('client', id), registry.get('user', login)])
  if (!client || !user || isBarred(user)) await collections.dropReader(collection, id)
}
