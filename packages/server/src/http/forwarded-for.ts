import { addressOf } from '../accounts/access/network.js'
import type { HttpRequest } from './http-request.js'

/**
 * Returns the last entry of `X-Forwarded-For`, the address that the proxy saw; earlier entries are set by the caller. Undefined if it is not an
 * address.
 */
export const forwardedFor = (headers: HttpRequest['headers']): string | undefined =>
  addressOf(headers['x-forwarded-for']?.split(',').at(-1) ?? '')
