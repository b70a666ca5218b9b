import type { CollectionHead } from './hint.js'

/** Events of the server's stream. They are hints: data comes by a sync. */
export type StreamEvent =
  | {
      readonly kind: 'change'
      readonly source: string
      /** The current state of the collection. */
      readonly head?: CollectionHead
      /** Milliseconds over which devices spread their pulls. */
      readonly within?: number
    }
  /** Something may have been missed. `heads` has the state of collections; other sources are unknown. */
  | { readonly kind: 'check'; readonly heads: ReadonlyMap<string, CollectionHead>; readonly within?: number }
  /** The partitions that the user may see have changed: of one source with `by`, or of all. */
  | { readonly kind: 'access'; readonly source?: string }
  | { readonly kind: 'ping'; readonly ping: PingMessage }
  /** Milliseconds over which devices spread when they lose their streams. */
  | { readonly kind: 'spread'; readonly within: number }
  /** A sign of life. */
  | { readonly kind: 'heartbeat' }
  /** The stream is open. Not sent by the server. */
  | { readonly kind: 'open' }

/** A message of an operator or a backend to the user, without data. */
export interface PingMessage {
  readonly message?: string
  readonly badge?: number | string
  readonly sound?: string
  readonly vibrate?: number | string
  /** Sources to sync. */
  readonly do_sync?: readonly string[]
}

/** Events are far shorter: a stream without line ends is no event stream. */
const MAX_EVENT_LENGTH = 1024 * 1024

/** Reads server-sent events and skips unknown ones. `alive` is called for all data received. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  alive: () => void,
): AsyncGenerator<StreamEvent, void, void> {
  const reader = body.getReader()
  const text = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      alive()
      const blocks = (rest + text.decode(value, { stream: true })).replace(/\r\n|\r(?!$)/g, '\n').split('\n\n')
      rest = blocks.pop() ?? ''
      if (rest.length > MAX_EVENT_LENGTH) return
      for (const block of blocks) {
        const event = eventOf(block)
        if (event) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function eventOf(block: string): StreamEvent | undefined {
  const lines = block.split('\n')
  const name = lines
    .find(line => line.startsWith('event:'))
    ?.slice(6)
    .trim()
  if (name === undefined) return lines.some(line => line.startsWith(':')) ? { kind: 'heartbeat' } : undefined
  const data = parseObject(
    lines
      .filter(line => line.startsWith('data:'))
      .map(line => line.slice(5))
      .join('\n'),
  )
  if (name === 'check') return { kind: 'check', heads: headsOf(data['heads']), ...withinOf(data) }
  if (name === 'change' && typeof data['source'] === 'string') {
    const head = headOf(data)
    return { kind: 'change', source: data['source'], ...(head && { head }), ...withinOf(data) }
  }
  if (name === 'access')
    return { kind: 'access', ...(typeof data['source'] === 'string' && { source: data['source'] }) }
  if (name === 'spread') return { kind: 'spread', within: withinOf(data).within ?? 0 }
  return name === 'ping' ? { kind: 'ping', ping: data as PingMessage } : undefined
}

const headsOf = (value: unknown): ReadonlyMap<string, CollectionHead> =>
  new Map(
    Object.entries(value ?? {}).flatMap(([source, one]) => {
      const head = headOf((one ?? {}) as { readonly [name: string]: unknown })
      return head ? [[source, head] as const] : []
    }),
  )

const headOf = ({ epoch, head }: { readonly [name: string]: unknown }): CollectionHead | undefined =>
  typeof epoch === 'string' && typeof head === 'number' ? { epoch, head } : undefined

/** Maximum milliseconds that a device waits, however many devices the server spreads. */
const MAX_WITHIN_MS = 60_000

const withinOf = ({ within }: { readonly [name: string]: unknown }): { readonly within?: number } =>
  typeof within === 'number' && within >= 0 ? { within: Math.min(within, MAX_WITHIN_MS) } : {}

function parseObject(text: string): { readonly [name: string]: unknown } {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as { readonly [name: string]: unknown }) : {}
  } catch {
    return {}
  }
}
