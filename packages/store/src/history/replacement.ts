import type { Head, RefusedWrite, ReplaceOptions } from '../collections.js'
import { sameText } from './attributes-text.js'
import type { StoredText } from './change-object.js'

/** The effect of a query's result on one object. `spare`: it was changed after the query began, and differs. */
export type Replacement = 'write' | 'equal' | 'spare'

/** Compares a present row, if any, with the query's `text`; `null` if the query does not have the object. */
export function replacement(
  present: { readonly text: StoredText; readonly version: number } | undefined,
  text: string | null,
  since: number,
): Replacement {
  if (isSame(present?.text, text)) return 'equal'
  return present && present.version > since ? 'spare' : 'write'
}

function isSame(present: StoredText, text: string | null): boolean {
  if (text === null) return typeof present !== 'string'
  return typeof present === 'string' && sameText(present, text)
}

/** Returns the reason to refuse a replacement, or undefined. */
export function judgeReplace(
  head: Pick<Head, 'epoch' | 'floor'> | undefined,
  options: Pick<ReplaceOptions, 'epoch' | 'since'>,
  facts: { readonly fenceHolds: boolean },
): RefusedWrite<'epoch' | 'fence' | 'floor'> | undefined {
  if (head?.epoch !== options.epoch) return { refused: 'epoch' }
  if (!facts.fenceHolds) return { refused: 'fence' }
  if (options.since < head.floor) return { refused: 'floor' }
  return undefined
}
