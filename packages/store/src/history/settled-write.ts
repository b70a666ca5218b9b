import { type Attributes, type AttributeValue, emptyRecord, type ObjectId } from '@godwit/protocol'
import type { Batch, StoredObjectState } from '../collections.js'
import type { Write } from '../journal.js'
import { sameValue } from './attributes-text.js'

/** The state recorded at the first start of a mutation. */
export interface FirstStart {
  /** The state of the mutation's object. */
  readonly before: StoredObjectState
  /** The head's version: objects with a lower or equal version have not changed since. */
  readonly version: number
}

/** The facts at the settlement of a mutation. */
export interface SettledFacts {
  /** The mutation's object. */
  readonly object: ObjectId
  /** The present state of the object to write. */
  readonly present: StoredObjectState
  /** Absent if the backend was not called. */
  readonly start: FirstStart | undefined
  /** True if the object moved to another collection: it is removed even if it changed since the start, and a query then tells what it was. */
  readonly isMoved?: boolean
}

/** The result of comparing a settlement's write with the collection. */
export interface SettledWrite {
  /** Absent if nothing is written. */
  readonly batch?: Batch
  /** How many attributes, or objects, were left alone because they changed since the start. */
  readonly spared: number
  /**
   * True if a query is needed to decide which value is newer: data was spared, or the backend sent other values than those written during the call,
   * even if already stored.
   */
  readonly asks: boolean
}

/** Computes the write of a settlement. Data from a query or push during the call is newer than the call's result, and is not overwritten. */
export function settledWrite(write: Write, { object, present, start, isMoved = false }: SettledFacts): SettledWrite {
  const before = write.object === object ? (start?.before ?? present) : beforeOfLinked(present, start)
  if ('remove' in write) {
    const spares = present.state === 'live' && (before.state !== 'live' || before.version !== present.version)
    if (isMoved) return { batch: { remove: [write.object] }, spared: spares ? 1 : 0, asks: spares }
    return spares ? SPARED : { batch: { remove: [write.object] }, spared: 0, asks: false }
  }
  if (present.state !== 'live') {
    const batch = { merge: singleObject(write.object, write.set) }
    return wasRemovedSince(before, present) ? SPARED : { batch, spared: 0, asks: false }
  }
  const wasReported = start !== undefined && present.version > start.version
  return attributesToSet(write.object, write.set, { before, present, wasReported })
}

const SPARED: SettledWrite = { spared: 1, asks: true }

/** A create's real id was not read when it started: if it changed since, it counts as never seen. */
function beforeOfLinked(present: StoredObjectState, start: FirstStart | undefined): StoredObjectState {
  if (!start || present.state === 'never' || present.version <= start.version) return present
  return { state: 'never' }
}

function wasRemovedSince(before: StoredObjectState, present: StoredObjectState): boolean {
  if (before.state === 'live') return true
  if (present.state !== 'gone') return false
  return before.state === 'never' || present.version > before.version
}

interface SettledObject {
  readonly before: StoredObjectState
  readonly present: StoredObjectState
  /** True if the backend sent the object during the call. */
  readonly wasReported: boolean
}

function attributesToSet(id: ObjectId, set: Attributes, { before, present, wasReported }: SettledObject): SettledWrite {
  const written = emptyRecord<AttributeValue>()
  let [spared, over] = [0, 0]
  for (const [name, value] of Object.entries(set)) {
    const now = presentValue(present, name)
    const isThere = sameValue(now, value)
    if (!isThere && !sameValue(now, presentValue(before, name))) {
      spared++
      continue
    }
    written[name] = value
    if (!isThere) over++
  }
  const asks = spared > 0 || (wasReported && over > 0)
  const nothingLeft = spared > 0 && Object.keys(written).length === 0
  return nothingLeft ? { spared, asks } : { batch: { merge: singleObject(id, written) }, spared, asks }
}

function presentValue(present: StoredObjectState, name: string): AttributeValue | undefined {
  return present.state === 'live' && Object.hasOwn(present.attributes, name) ? present.attributes[name] : undefined
}

const singleObject = (id: string, attributes: Attributes) =>
  Object.assign(emptyRecord<Attributes>(), { [id]: attributes })
