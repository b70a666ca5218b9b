import type { CollectionId } from '@godwit/store'
import type { Engine } from '../engine.js'
import { messageOf } from '../sources/refusal.js'
import { type ClientRecord, notePlace } from '../users/client-record.js'

/** What was written lately of a client in a collection, so that most pulls write nothing. Forgetting costs a write, not a fact. */
export interface Note {
  /** When the reader was last noted, in milliseconds since 1970. */
  at: number
  acknowledged: number
}

const notes = new WeakMap<Engine, Map<string, Note>>()
const MOST = 100_000

export function noteOf(engine: Engine, { source, partition }: CollectionId, client: string): Note {
  const known = notes.get(engine) ?? new Map<string, Note>()
  const key = JSON.stringify([source, partition, client])
  const note = known.get(key)
  if (note) return note
  const fresh = { at: Number.NEGATIVE_INFINITY, acknowledged: 0 }
  if (known.size > MOST) known.clear()
  notes.set(engine, known.set(key, fresh))
  return fresh
}

/** Whose pull it is. */
export interface Noting {
  readonly collection: CollectionId
  readonly client: ClientRecord
  readonly note: Note
}

/** Tells the journal what the device has applied, once per number. */
export async function noteAcknowledged(
  { store }: Engine,
  { collection, client, note }: Noting,
  through: number,
): Promise<void> {
  if (through <= note.acknowledged) return
  await store.journal.acknowledge(collection, client.id, through)
  note.acknowledged = through
}

/** Notes lazily where the device stands, so that the floor stays below it. Nobody waits for it. */
export function noteReader(engine: Engine, { collection, client, note }: Noting, base: number): void {
  const now = engine.clock()
  if (now - note.at < engine.limits.readerNote * 1000) return
  note.at = now
  notePlace(engine.store, client, collection)
    .then(() => engine.store.collections.noteReader(collection, client.id, base))
    .catch(error => engine.log.warn({ error: messageOf(error) }, 'the position of a device was not noted'))
}
