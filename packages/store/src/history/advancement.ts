import type { AdvanceOptions, Head, RefusedWrite } from '../collections.js'
import { sameText } from './attributes-text.js'
import type { StoredText } from './change-object.js'

/** The effect of a reported change on one object. `equal`: no change, except while a query or a call of the object is in progress. */
export type Advancement = 'write' | 'equal' | 'spare'

/** Compares a present row, if any, with the reported text; `null` for a removal, which also leaves a tombstone of an unknown object. */
export function advancement(
  present: { readonly text: StoredText; readonly version: number } | undefined,
  text: string | null,
  since: number,
): Advancement {
  if (present === undefined) return 'write'
  const isEqual =
    text === null ? present.text === null : typeof present.text === 'string' && sameText(present.text, text)
  if (isEqual) return 'equal'
  return present.version > since ? 'spare' : 'write'
}

/** What a collection knows of a reader. */
export interface KnownReader {
  /** The highest fence that it saw; 0 if none. */
  readonly fence: number
  readonly cursor: string | null
}

/** Returns the reason to refuse changes, or undefined. */
export function judgeAdvance(
  head: Pick<Head, 'epoch' | 'floor'> | undefined,
  { epoch, fence, since, cursor }: AdvanceOptions,
  known: KnownReader,
): RefusedWrite<'epoch' | 'fence' | 'floor' | 'cursor'> | undefined {
  if (head?.epoch !== epoch) return { refused: 'epoch' }
  if (fence < known.fence) return { refused: 'fence' }
  if (since < head.floor) return { refused: 'floor' }
  if (cursor !== undefined && cursor.previous !== known.cursor) return { refused: 'cursor' }
  return undefined
}
