import type { CollectionId } from '@godwit/store'
import type { Engine } from '../engine.js'
import { messageOf } from '../sources/refusal.js'
import { type ClientRecord, noteStanding, type ReaderPosition } from '../users/client-record.js'

/** What was written lately of a client in a collection, so that most pulls write nothing. Forgetting costs a write, not a fact. */
export interface ReaderNote {
  /** When the reader was last noted, in milliseconds since 1970. */
  at: number
  acknowledged: number
  /** Whether the device was in a pass from zero, and under which nonce and epoch, as text. '': nothing was noted. */
  kind: string
}

const notes = new WeakMap<Engine, Map<string, ReaderNote>>()
const MOST = 100_000

export function readerNoteOf(engine: Engine, { source, partition }: CollectionId, client: string): ReaderNote {
  const known = notes.get(engine) ?? new Map<string, ReaderNote>()
  const key = JSON.stringify([source, partition, client])
  const note = known.get(key)
  if (note) return note
  const fresh = { at: Number.NEGATIVE_INFINITY, acknowledged: 0, kind: '' }
  if (known.size > MOST) known.clear()
  notes.set(engine, known.set(key, fresh))
  return fresh
}

/** Whose pull it is. */
export interface ReaderContext {
  readonly collection: CollectionId
  readonly client: ClientRecord
  readonly note: ReaderNote
}

/** Tells the journal what the device has applied, once per number. */
export async function noteAcknowledged(
  { store }: Engine,
  { collection, client, note }: ReaderContext,
  through: number,
): Promise<void> {
  if (through <= note.acknowledged) return
  await store.journal.acknowledge(collection, client.id, through)
  note.acknowledged = through
}

/** Where a device stands. */
export interface ReaderStanding {
  /** The floor stays below it. */
  readonly base: number
  readonly standing: ReaderPosition
}

/** Notes in the background where the device stands: at once when it has finished a pass or begun from zero, else at intervals and together with others. */
export function noteReader(
  engine: Engine,
  { collection, client, note }: ReaderContext,
  { base, standing }: ReaderStanding,
): void {
  const now = engine.clock()
  const [nonce, epoch, version] = standing
  const kind = JSON.stringify([nonce, epoch, version === undefined])
  const isNews = kind !== note.kind
  if (!isNews && now - note.at < engine.limits.readerNote * 1000) return
  note.at = now
  note.kind = kind
  // Where a device stands in a pass from zero is what operators read.
  const isShown = isNews || version !== undefined
  const write = (): Promise<unknown> =>
    Promise.all([
      isShown && noteStanding(engine.store, client, collection, standing),
      engine.store.collections.noteReader(collection, client.id, base),
    ]).catch(error => engine.log.warn({ error: messageOf(error) }, 'the position of a device was not noted'))
  if (isShown || engine.limits.readerNote === 0) void write()
  else writeLater(engine, write)
}

/** Milliseconds in which positions gather that are written together: many devices may pull at once, and each commit by itself waits for the disk. */
export const GATHER = 100

const waiting = new WeakMap<Engine, (() => Promise<unknown>)[]>()

function writeLater(engine: Engine, write: () => Promise<unknown>): void {
  const others = waiting.get(engine)
  if (others) return void others.push(write)
  const writes = [write]
  waiting.set(engine, writes)
  setTimeout(() => {
    waiting.delete(engine)
    if (!engine.stopping.aborted) for (const one of writes) void one()
  }, GATHER).unref()
}
