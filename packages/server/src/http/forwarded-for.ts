import { addressOf } from '../access/network.js'
import type { HttpRequest } from './http-request.js'

/** Whom the proxy in front saw: the last entry of `X-Forwarded-For`, as those before it are the caller's own words. Undefined: it names no address. */
export const forwardedFor = (headers: HttpRequest['headers']): string | undefined =>
  addressOf(headers['x-forwarded-for']?.split(',').at(-1) ?? '')
