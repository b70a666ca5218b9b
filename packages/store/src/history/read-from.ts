import type { ChangeRow, Head, Position, ReadPosition } from '../collections.js'
import { compareIds } from './object-id.js'

/** The place where a pass from zero begins. */
export const ZERO: Position = { version: 0, id: '' }

/** The position, or undefined if it is void: absent, of another history, or from below the floor. `mark` is that of the version `from.head`, if it is known. */
export function validPosition(
  from: ReadPosition | undefined,
  head: Pick<Head, 'epoch' | 'version' | 'floor'>,
  mark: string | undefined,
): ReadPosition | undefined {
  if (!from || from.epoch !== head.epoch || from.head > head.version || from.mark !== mark) return undefined
  const lowest = from.base > 0 ? from.base : from.start
  return lowest < head.floor ? undefined : from
}

/** Tombstones up to here are left out for a reader that stands at `from`: what it never had needs no removing. */
export function tombstonesAfter(from: ReadPosition | undefined, head: Pick<Head, 'version'>): number {
  if (!from) return head.version
  return from.base === 0 ? from.start : 0
}

/** Compares two positions of a change log, as `sort` expects: by version, then by id. */
export function comparePositions(left: Position, right: Position): number {
  return left.version - right.version || compareIds(left.id, right.id)
}

/** Whether a row belongs into the answer to a reader: after its position, and no tombstone that it has no use for. */
export function belongsToAnswer(row: ChangeRow, after: Position, tombstones: number): boolean {
  return comparePositions(row, after) > 0 && (row.text !== null || row.version > tombstones)
}
