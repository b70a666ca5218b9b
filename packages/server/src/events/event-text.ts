import type { JsonValue } from '@godwit/protocol'

/** A server-sent event. JSON has no line breaks of its own, so that one data line always holds it. */
export const eventText = (name: 'change' | 'check' | 'ping', data: { readonly [name: string]: JsonValue }): string =>
  `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

/** A comment, which listeners skip: it keeps proxies from closing the stream. */
export const HEARTBEAT = ':\n\n'
