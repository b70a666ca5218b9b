import type { JsonValue } from '@godwit/protocol'

/** The text of a server-sent event. JSON contains no line breaks, so one data line holds it. */
export const eventText = (
  name: 'change' | 'check' | 'ping' | 'spread',
  data: { readonly [name: string]: JsonValue },
): string => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`

/** A comment, which event sources ignore; it keeps proxies from closing the connection. */
export const HEARTBEAT = ':\n\n'
