import { type Attributes, type AttributeValue, emptyRecord } from '@godwit/protocol'
import type { Batch, Present } from '../collections.js'
import type { Write } from '../journal.js'
import { sameValue } from './attributes-text.js'

/** What was noted when a mutation was first started. */
export interface FirstStart {
  /** The mutation's object as it stood. */
  readonly before: Present
  /** The head's version then: what has no higher one has not changed since. */
  readonly version: number
}

export interface SettledWrite {
  /** Absent: nothing is written. */
  readonly batch?: Batch
  /** Attributes, or the object, left alone because they changed since the start. */
  readonly spared: number
}

/**
 * What a settlement writes, where `present` is the object `write.object` as it stands now and `object` the one of the mutation; `start` is absent when nobody was called.
 * What a query or a push brought during the call is newer than the call's answer and never overwritten by it.
 */
export function settledWrite(
  write: Write,
  {
    object,
    present,
    start,
  }: { readonly object: string; readonly present: Present; readonly start?: FirstStart | undefined },
): SettledWrite {
  const before = write.object === object ? (start?.before ?? present) : beforeOfLinked(present, start)
  if ('remove' in write) {
    const spares = present.state === 'live' && (before.state !== 'live' || before.version !== present.version)
    return spares ? { spared: 1 } : { batch: { remove: [write.object] }, spared: 0 }
  }
  if (present.state === 'live') return settledAttributes(write.object, write.set, [before, present])
  return wasRemovedSince(before, present)
    ? { spared: 1 }
    : { batch: { merge: one(write.object, write.set) }, spared: 0 }
}

/** A create's real id was not looked at when it started: if it has changed since, it counts as never seen. */
function beforeOfLinked(present: Present, start: FirstStart | undefined): Present {
  if (!start || present.state === 'never' || present.version <= start.version) return present
  return { state: 'never' }
}

function wasRemovedSince(before: Present, present: Present): boolean {
  if (before.state === 'live') return true
  if (present.state !== 'gone') return false
  return before.state === 'never' || present.version > before.version
}

function settledAttributes(id: string, set: Attributes, [before, present]: readonly [Present, Present]): SettledWrite {
  const written = emptyRecord<AttributeValue>()
  let spared = 0
  for (const [name, value] of Object.entries(set)) {
    const now = presentValue(present, name)
    if (sameValue(now, presentValue(before, name)) || sameValue(now, value)) written[name] = value
    else spared++
  }
  const nothingLeft = spared > 0 && Object.keys(written).length === 0
  return nothingLeft ? { spared } : { batch: { merge: one(id, written) }, spared }
}

function presentValue(present: Present, name: string): AttributeValue | undefined {
  return present.state === 'live' && Object.hasOwn(present.attributes, name) ? present.attributes[name] : undefined
}

const one = (id: string, attributes: Attributes) => Object.assign(emptyRecord<Attributes>(), { [id]: attributes })
