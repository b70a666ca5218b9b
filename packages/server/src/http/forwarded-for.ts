import type { Call } from './call.js'

/** Whom the proxy in front saw: the last entry of `X-Forwarded-For`, as those before it are the caller's own words. */
export const forwardedFor = (headers: Call['headers']): string | undefined =>
  headers['x-forwarded-for']?.split(',').at(-1)?.trim()
