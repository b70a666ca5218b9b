import { SyncError } from '@godwit/protocol'
import type { HttpAnswer } from '../platform/http-response.js'

/** Throws if a redirect leads to another origin: the session is not sent there, so the answer would be "not logged in". */
export function checkOrigin(server: string, { status, headers, redirected, url = '' }: HttpAnswer): void {
  const location = status >= 300 && status < 400 ? headers.get('location') : redirected ? url : null
  if (location === null || !URL.canParse(location, server)) return
  const { origin, pathname } = new URL(location, server)
  if (origin === new URL(server).origin) return
  throw new SyncError(
    'offline',
    `${server} redirects to ${origin}${pathname}, to which no session is sent. If the server has moved, open the device with its new address. If the network requires you to accept its terms, accept them and sync again.`,
  )
}
