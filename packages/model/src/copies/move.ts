import type { Attributes, ObjectId, PartitionParameters } from '@godwit/protocol'
import { stateOf, storeState } from '../outbox/object-state.js'
import { visit } from './copy-rows.js'
import { type CopiedModel, copyFor, isDenied } from './copy-state.js'
import { isWanted } from './wanted.js'

/** An outcome that moved an object to another partition. */
export interface Move {
  readonly object: ObjectId
  readonly to: PartitionParameters
  /** The whole object, as it is there. */
  readonly attributes: Attributes
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * Displays a moved object as a visitor of its new copy, if that is wanted and not denied, before the membership of the old one ends. Returns the new
 * copy, to which later changes of the object go.
 */
export function welcome(model: CopiedModel, { object, to, attributes, now }: Move): CopiedModel {
  const target = copyFor(model, to)
  if (isWanted(model, target.copy.partition, now) && !isDenied(target.copy)) visit(target, object, attributes)
  return target
}

/** Keeps what an outcome says of an object without membership beneath its later changes, which go to that copy. */
export function keepServerRow(
  model: CopiedModel,
  { object, attributes, version = 0 }: { object: ObjectId; attributes: Attributes; version?: number },
): void {
  const { serverRow, entries } = stateOf(model, object)
  if (serverRow?.dead === false || entries.length === 0) return
  const isHidden = isDenied(model.copy)
  const latest = { version, pass: 0, dead: true, attributes, copy: model.copy.id }
  storeState(model, object, { serverRow: isHidden ? undefined : latest, entries })
}
