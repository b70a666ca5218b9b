import type { LiveQueryFacts, PendingChange } from '@godwit/model'

/** The part of a device that the panel uses: `openDevice` and `openRemote` return it, and an SDK in the same thread has it. */
export interface TracedDevice {
  events(): AsyncGenerator<object, void, void>
  trace(): readonly LiveQueryFacts[] | Promise<readonly LiveQueryFacts[]>
  changes(): readonly PendingChange[] | Promise<readonly PendingChange[]>
}

/** Any event of a device. */
export interface TracedEvent {
  readonly kind: string
  readonly [fact: string]: unknown
}

export interface SeenEvent {
  readonly key: number
  /** Milliseconds since 1970. */
  readonly at: number
  readonly event: TracedEvent
}

/** Everything recorded so far. */
export interface Report {
  /** Latest first. */
  readonly seen: readonly SeenEvent[]
  readonly requests: number
  /** Bytes. */
  readonly sent: number
  readonly received: number
  readonly transactions: number
  /** Rows written by transactions. */
  readonly rows: number
  readonly queries: readonly LiveQueryFacts[]
  readonly changes: readonly PendingChange[]
}

export const EMPTY: Report = {
  ...{ seen: [], requests: 0, sent: 0, received: 0, transactions: 0, rows: 0 },
  ...{ queries: [], changes: [] },
}

/** Number of events that the panel keeps. */
const MAX_EVENTS = 300
/** Milliseconds between two reads of live queries and outbox. */
const POLL_INTERVAL_MS = 2_000
/** Milliseconds for which events are collected, so that a burst is rendered once. */
const SOON_MS = 100

const countOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

const sumOf = (rows: unknown): number =>
  Object.values((rows ?? {}) as { readonly [model: string]: number }).reduce((sum, count) => sum + count, 0)

/** Adds events to the report, in order. */
export function withEvents(report: Report, events: readonly Omit<SeenEvent, 'key'>[]): Report {
  let { requests, sent, received, transactions, rows } = report
  const queries = new Map(report.queries.map(one => [one.query, one]))
  const first = (report.seen[0]?.key ?? -1) + 1
  for (const { event } of events) {
    if (event.kind === 'request') {
      requests++
      sent += countOf(event['sent'])
      received += countOf(event['received'])
    }
    if (event.kind === 'transaction') {
      transactions++
      rows += sumOf(event['rows'])
    }
    if (event.kind === 'query') {
      const facts = event as unknown as LiveQueryFacts
      queries.set(facts.query, facts)
    }
  }
  const seen = [...events.map((one, at) => ({ ...one, key: first + at })).reverse(), ...report.seen].slice(
    0,
    MAX_EVENTS,
  )
  return { ...report, seen, requests, sent, received, transactions, rows, queries: [...queries.values()] }
}

/** Follows a device. Call the result to stop. */
export function follow(device: TracedDevice, update: (change: (report: Report) => Report) => void): () => void {
  const events = device.events()
  let gathered: Omit<SeenEvent, 'key'>[] = []
  let isOver = false
  let soon: ReturnType<typeof setTimeout> | undefined

  async function look(): Promise<void> {
    const [queries, changes] = await Promise.all([device.trace(), device.changes()])
    if (!isOver) update(report => ({ ...report, queries, changes }))
  }
  function flush(): void {
    soon = undefined
    const all = gathered
    gathered = []
    update(report => withEvents(report, all))
    // Refresh: the outbox may have changed too. A failed read is repeated at the next poll.
    look().catch(() => {})
  }
  async function hear(): Promise<void> {
    for await (const event of events) {
      gathered.push({ at: Date.now(), event: event as TracedEvent })
      soon ??= setTimeout(flush, SOON_MS)
    }
  }
  const looking = setInterval(() => look().catch(() => {}), POLL_INTERVAL_MS)
  look().catch(() => {})
  hear().catch(() => {})
  return () => {
    isOver = true
    clearInterval(looking)
    clearTimeout(soon)
    events.return().catch(() => {})
  }
}
