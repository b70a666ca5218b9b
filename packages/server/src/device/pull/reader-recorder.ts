import { type Log, messageOf } from '@godwit/source'
import type { CollectionId, Store } from '@godwit/store'
import {
  type ClientRecord,
  type ReaderPosition,
  recordProgress,
  type SentPass,
} from '../../accounts/users/client-record.js'
import { isBarred } from '../../accounts/users/user-record.js'
import type { Limits } from '../../base/limits.js'
import { RecentMap } from '../../base/recent-map.js'
import { LaterWrites } from './later-writes.js'

/** The last written position of a client in a collection, so that most pulls write nothing. Losing it costs one write. */
export interface RecordedReader {
  /** When the reader was last written, in milliseconds since 1970. */
  at: number
  acknowledged: number
  /** Nonce and epoch, and whether the device was in a pass from zero, as text. '': nothing was written. */
  kind: string
  /** The last pass that was sent to its end, as written or waiting to be; null: none. Absent: what the client's record says. */
  sent?: SentPass | null
}

/** Milliseconds after which the entry of an inactive device may be removed. */
const IDLE = 10 * 60_000
const MAX_READERS = 100_000

/** Milliseconds during which positions are collected for one write: many devices may pull at once, and each separate commit waits for the disk. */
export const GATHER = 100

/** The same for passes that were sent, which come more often. */
export const GATHER_SENT = 1000

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
  /** The pass that ends with this page; null if the device asks again for the pass that was recorded as sent. Absent: nothing changes. */
  readonly sent?: SentPass | null | undefined
}

interface ReaderRecorderOptions {
  readonly store: Store
  readonly clock: () => number
  readonly limits: Pick<Limits, 'positionInterval'>
  readonly log: Log
  readonly stopping: AbortSignal
}

/** Writes the positions of readers, at most once per `positionInterval` seconds each, in shared commits. */
export class ReaderRecorder {
  readonly #options: ReaderRecorderOptions
  readonly #recorded: RecentMap<RecordedReader>
  readonly #positions: LaterWrites
  readonly #sent: LaterWrites

  constructor(options: ReaderRecorderOptions) {
    this.#options = options
    this.#positions = new LaterWrites(GATHER, options.stopping)
    this.#sent = new LaterWrites(GATHER_SENT, options.stopping)
    this.#recorded = new RecentMap({ clock: options.clock, idle: IDLE, capacity: MAX_READERS })
  }

  /** Returns the entry of a client in a collection; an empty one if there is none. */
  of({ source, partition }: CollectionId, client: string): RecordedReader {
    const key = keyOf({ source, partition }, client)
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

  /**
   * Writes the device's progress in the background: its position at once when it ends a pass or starts from zero, else at intervals and together
   * with others; a pass that was sent to its end with the position, or together with others.
   */
  write(context: ReaderContext, { base, position, sent }: ReaderProgress): void {
    const { collection, client, recorded } = context
    const { store, clock, limits } = this.#options
    const now = clock()
    const [nonce, epoch, version] = position
    const kind = JSON.stringify([nonce, epoch, version === undefined])
    const isNews = kind !== recorded.kind
    // A time in the future is from before the clock was set back.
    const isRecent = !isNews && now >= recorded.at && now - recorded.at < limits.positionInterval * 1000
    if (sent !== undefined) recorded.sent = sent
    const key = keyOf(collection, client.id)
    if (isRecent) {
      // What is recorded then: the position may have taken a later pass along meanwhile.
      if (sent !== undefined)
        this.#sent.add(key, () => this.#caught(recordProgress(store, client, collection, { sent: recorded.sent })))
      return
    }
    recorded.at = now
    recorded.kind = kind
    // Operators see the position within a pass from zero.
    const hasProgress = isNews || version !== undefined
    const progress = { position: hasProgress ? position : undefined, sent }
    const write = (): Promise<unknown> =>
      this.#caught(
        Promise.all([
          (hasProgress || sent !== undefined) && recordProgress(store, client, collection, progress),
          store.collections
            .recordReader(collection, client.id, base)
            .then(() => forgetIfRemoved(store, collection, client)),
        ]),
      )
    if (hasProgress || limits.positionInterval === 0) void write()
    else this.#positions.add(key, write)
  }

  #caught(writing: Promise<unknown>): Promise<unknown> {
    return writing.catch(error =>
      this.#options.log.warn({ error: messageOf(error) }, 'could not record the position of a device'),
    )
  }
}

const keyOf = ({ source, partition }: CollectionId, client: string): string =>
  JSON.stringify([source, partition, client])

/** Removes the reader of a client that was deleted during the write, since it would hold the floor until readers expire. */
async function forgetIfRemoved(
  { registry, collections }: Store,
  collection: CollectionId,
  { id, user: login }: ClientRecord,
): Promise<void> {
  const [client, user] = await Promise.all([registry.get('client', id), registry.get('user', login)])
  if (!client || !user || isBarred(user)) await collections.dropReader(collection, id)
}
