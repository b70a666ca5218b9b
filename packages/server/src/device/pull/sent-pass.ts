import type { Changes } from '@godwit/store'
import { type SentPass, sentIn } from '../../accounts/users/client-record.js'
import type { Pass, PullPosition } from './pass.js'
import type { ReaderContext } from './reader-recorder.js'

interface PullOfDevice extends ReaderContext {
  readonly nonce: string
  readonly position: PullPosition
}

/**
 * Returns what to record of a pass that ends with this page, so that operators see what was sent before the device confirms it. Null: the device
 * asks again for what was recorded as sent, and not all of it is on this page. Undefined: nothing changed; so it is for a pull without changes.
 */
export function sentPass(
  { collection, client, recorded, nonce, position: { token } }: PullOfDevice,
  { head, fromZero }: Changes,
  { ends, progress }: Pass,
  now: number,
): SentPass | null | undefined {
  const { sent = sentIn(client, collection) } = recorded
  const [sentNonce, epoch, version] = sent ?? []
  const known = sentNonce === nonce && epoch === head.epoch ? version : undefined
  const isFromZero = token === undefined || fromZero
  if (!ends) return known !== undefined && known > (isFromZero ? -1 : token.from.base) ? null : undefined
  if (known === head.version || (progress === 0 && !isFromZero && token.from.base > 0)) return undefined
  return [nonce, head.epoch, head.version, now]
}
