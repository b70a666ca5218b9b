import type { ReaderPosition } from '../../accounts/users/client-record.js'
import { positionOfToken, startPosition } from '../../accounts/users/confirmed-positions.js'
import { type PullToken, readToken } from './token.js'

/**
 * Returns the position that a pull confirms: that of its token, or, while the device still stores the page of that token, the position of the page
 * before. A token of another pass confirms no row of this one.
 */
export function confirmedBy(token: PullToken, storedToken: string | undefined): ReaderPosition {
  const { from, over, nonce, pass } = token
  // Within a pass that is not from zero, only its base is confirmed.
  if (storedToken === undefined || over || from.base > 0) return positionOfToken(nonce, from, over)
  const stored = readToken(storedToken)
  if (stored === undefined || stored.over || stored.pass !== pass) return startPosition(nonce, from.epoch)
  return positionOfToken(nonce, stored.from, false)
}
