import type { Head, RefusedWrite, ReplaceOptions } from '../collections.js'
import { sameText } from './attributes-text.js'
import type { StoredText } from './change-object.js'

/** What a query's result does to one object. `spare`: somebody changed it after the query began, and it differs. */
export type Replacement = 'write' | 'equal' | 'spare'

/** `present`: the row as it stands, if there is one. `text`: what the query answered; `null`: it does not have this object. */
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

/** Collections up to this size are never guarded against losing most of their objects. */
const GUARDED_ABOVE = 100

/** Returns why a replacement is refused; undefined when it may be written. */
export function judgeReplace(
  head: Pick<Head, 'epoch' | 'count' | 'floor'> | undefined,
  options: Pick<ReplaceOptions, 'epoch' | 'since' | 'maxRemovedShare'>,
  facts: { readonly fenceHolds: boolean; readonly removals: number },
): RefusedWrite<'epoch' | 'fence' | 'share' | 'floor'> | undefined {
  if (head?.epoch !== options.epoch) return { refused: 'epoch' }
  if (!facts.fenceHolds) return { refused: 'fence' }
  if (options.since < head.floor) return { refused: 'floor' }
  const share = head.count > GUARDED_ABOVE ? facts.removals / head.count : 0
  return share > options.maxRemovedShare ? { refused: 'share' } : undefined
}
