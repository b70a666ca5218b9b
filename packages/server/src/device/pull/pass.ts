import type { Changes, ReadPosition } from '@godwit/store'
import { type PullToken, readToken } from './token.js'

/** The position of a pull before its read. */
export interface PullPosition {
  /** Absent: a pass from zero. */
  readonly from?: ReadPosition
  readonly token?: PullToken
  /** True if the request had a token, valid or not: a pass from zero is then a resync. */
  readonly hasToken: boolean
  /** True if the page starts a pass. */
  readonly begins: boolean
}

/** Returns the position of a pull's token. A token with another nonce counts as invalid. */
export function pullPositionOf(text: string | undefined, nonce: string): PullPosition {
  const hasToken = text !== undefined && text !== ''
  const token = hasToken ? readToken(text) : undefined
  if (token === undefined || token.nonce !== nonce) return { hasToken: hasToken, begins: true }
  return { from: token.from, token, hasToken: hasToken, begins: token.over }
}

/** The part of a page in its pass. */
export interface Pass {
  readonly pass: string
  readonly resync: boolean
  /** The number of inserts and deletes of the pass, including this page. */
  readonly progress: number
  readonly ends: boolean
  /** The token after the page, without the description digest, which is added when the page is written. */
  readonly next: Omit<PullToken, 'about'>
}

/** Returns what a read means for the pass: it continues, ends, or starts from zero. A page without rows (limit 0) changes no position. */
export function passOf(
  place: PullPosition,
  { head, fromZero, rows, more }: Changes,
  limit: number,
  nonce: string,
  newPass: () => string,
): Pass {
  const goesOn = fromZero ? undefined : place.token
  if (limit === 0 && goesOn !== undefined) {
    return { pass: goesOn.pass, resync: goesOn.resync, progress: goesOn.progress, ends: false, next: goesOn }
  }
  const pass = goesOn?.pass ?? newPass()
  const resync = goesOn === undefined ? place.hasToken : goesOn.resync
  const progress = (goesOn === undefined || goesOn.over ? 0 : goesOn.progress) + rows.length
  const ends = !more
  const last = rows.at(-1)
  const at = { epoch: head.epoch, head: head.version, mark: head.mark }
  const from: ReadPosition = ends
    ? { ...at, base: head.version, start: 0, after: { version: head.version + 1, id: '' } }
    : {
        ...at,
        base: goesOn?.from.base ?? 0,
        start: goesOn?.from.start ?? head.version,
        after: last ?? goesOn?.from.after ?? { version: 0, id: '' },
      }
  // After a resync pass ends, the following passes are ordinary.
  return { pass, resync, progress, ends, next: { from, over: ends, pass, nonce, resync: resync && !ends, progress } }
}
