import type { ChangeRow, Head, Position, ReadPosition } from '../collections.js'
import { compareIds } from './object-id.js'

/** The position at which a pass from zero begins. */
export const ZERO: Position = { version: 0, id: '' }

/**
 * Returns the position, or undefined if it is void: absent, of another history, or below the floor. `mark` is that of the version `from.head`, if
 * known.
 */
export function validPosition(
  from: ReadPosition | undefined,
  head: Pick<Head, 'epoch' | 'version' | 'floor'>,
  mark: string | undefined,
): ReadPosition | undefined {
  if (!from || from.epoch !== head.epoch || from.head > head.version || from.mark !== mark) return undefined
  const lowest = from.base > 0 ? from.base : from.start
  return lowest < head.floor ? undefined : from
}

/** Returns the version up to which tombstones are left out for this position: the reader never had those objects. */
export function tombstonesAfter(from: ReadPosition | undefined, head: Pick<Head, 'version'>): number {
  if (!from) return head.version
  return from.base === 0 ? from.start : 0
}

/** Compares two positions, as for `sort`: by version, then by id. */
export function comparePositions(left: Position, right: Position): number {
  return left.version - right.version || compareIds(left.id, right.id)
}

/** True if a reader gets this row: it is after the position, and not a tombstone that it does not need. */
export function belongsToAnswer(row: ChangeRow, after: Position, tombstones: number): boolean {
  return comparePositions(row, after) > 0 && (row.text !== null || row.version > tombstones)
}
