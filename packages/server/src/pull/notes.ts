import type { CollectionId } from '@godwit/store'
import type { Engine } from '../engine.js'
import { messageOf } from '../sources/refusal.js'
import { type ClientRecord, notePlace } from '../users/client-record.js'

interface Noted {
  /** When the reader was last noted, in milliseconds since 1970. */
  at: number
  acknowledged: number
}

// What was written lately, so that most pulls write nothing. Forgetting costs a write, not a fact.
const notes = new WeakMap<Engine, Map<string, Noted>>()
const MOST = 100_000

function noteOf(engine: Engine, { source, partition }: CollectionId, client: string): Noted {
  const known = notes.get(engine) ?? new Map<string, Noted>()
  notes.set(engine, known)
  const key = JSON.stringify([source, partition, client])
  const note = known.get(key) ?? { at: Number.NEGATIVE_INFINITY, acknowledged: 0 }
  if (known.size > MOST) known.clear()
  known.set(key, note)
  return note
}

/** Tells the journal what the device has applied, once per number. */
export async function noteAcknowledged(
  engine: Engine,
  collection: CollectionId,
  client: string,
  through: number,
): Promise<void> {
  const note = noteOf(engine, collection, client)
  if (through <= note.acknowledged) return
  await engine.store.journal.acknowledge(collection, client, through)
  note.acknowledged = through
}

/** Notes lazily where the device stands, so that the floor stays below it. Nobody waits for it. */
export function noteReader(engine: Engine, collection: CollectionId, client: ClientRecord, base: number): void {
  const note = noteOf(engine, collection, client.id)
  const now = engine.clock()
  if (now - note.at < engine.limits.readerNote * 1000) return
  note.at = now
  notePlace(engine.store, client, collection)
    .then(() => engine.store.collections.noteReader(collection, client.id, base))
    .catch(error => engine.log.warn({ error: messageOf(error) }, 'the position of a device was not noted'))
}
