import type { Changes, ReadPosition } from '@godwit/store'
import { type PullToken, readToken } from './token.js'

/** What a pull knows before it reads. */
export interface PullPosition {
  /** Absent: a pass from zero. */
  readonly from?: ReadPosition
  readonly token?: PullToken
  /** Any token came, readable or not: a pass from zero is then a resync. */
  readonly asked: boolean
  /** The page begins a pass. */
  readonly begins: boolean
}

/** Where a device stands. A token of another nonce counts as unreadable. */
export function pullPositionOf(text: string | undefined, nonce: string): PullPosition {
  const asked = text !== undefined && text !== ''
  const token = asked ? readToken(text) : undefined
  if (token === undefined || token.nonce !== nonce) return { asked, begins: true }
  return { from: token.from, token, asked, begins: token.over }
}

/** The page's part in its pass. */
export interface Pass {
  readonly pass: string
  readonly resync: boolean
  /** Inserts and deletes of this pass, this page included. */
  readonly progress: number
  readonly ends: boolean
  /** Where the device stands after the page; what it was told about the source is added where the page is written. */
  readonly next: Omit<PullToken, 'about'>
}

/** What a read means for the pass: it goes on, is over, or began from zero. A page of no rows (limit 0) moves nothing. */
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
  const resync = goesOn === undefined ? place.asked : goesOn.resync
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
  // What a resync pass replaced is done with it: the passes that follow are ordinary.
  return { pass, resync, progress, ends, next: { from, over: ends, pass, nonce, resync: resync && !ends, progress } }
}
