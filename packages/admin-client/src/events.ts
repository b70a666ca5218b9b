import { routes, type ServerEvent, type ServerEventKind, SyncError } from '@godwit/protocol'
import { respond } from './call.js'
import type { CallOptions, ServerConnection } from './connection.js'

/** Selects events. Default: all. */
export interface WatchOptions extends CallOptions {
  readonly kinds?: readonly ServerEventKind[]
  readonly source?: string
  readonly user?: string
  /** The id of the last event received: later events that the server still has come first. */
  readonly after?: string
}

/** Milliseconds before the first reconnect; doubled with each further attempt, up to `MAX_PAUSE_MS`. */
const FIRST_PAUSE = 1000
const MAX_PAUSE_MS = 30_000

/**
 * Yields server events until the loop ends or the signal aborts. Reconnects after an interruption and resumes after the last event; `stream_started`
 * then says whether events may be missing. Rejects if the server refuses the request.
 */
export const watch = (connection: ServerConnection) =>
  async function* events({ after, signal, ...filter }: WatchOptions = {}): AsyncGenerator<ServerEvent, never> {
    let last = after
    for (let failures = 0; ; ) {
      try {
        for await (const event of oneStream(connection, { ...filter, after: last }, signal)) {
          failures = 0
          if ('id' in event) last = event.id
          yield event
        }
      } catch (error) {
        signal?.throwIfAborted()
        if (!(error instanceof SyncError && error.retryable)) throw error
      }
      await pause(Math.min(MAX_PAUSE_MS, FIRST_PAUSE * 2 ** failures++) * (0.5 + Math.random() / 2), signal)
    }
  }

interface EventFilter {
  readonly kinds?: readonly ServerEventKind[]
  readonly source?: string
  readonly user?: string
  readonly after: string | undefined
}

async function* oneStream(
  connection: ServerConnection,
  { kinds, ...filter }: EventFilter,
  signal: AbortSignal | undefined,
): AsyncGenerator<ServerEvent> {
  const query = { ...filter, ...(kinds && { kinds: kinds.join(',') }) }
  const { body } = await respond(connection, routes.operations.events, { query, ...(signal && { signal }) })
  if (body === null) return
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(cause => {
        signal?.throwIfAborted()
        throw new SyncError('offline', 'The event stream was interrupted. Watch again.', { cause })
      })
      if (done) return
      const parts = (text + decoder.decode(value, { stream: true })).split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) {
        const data = part.split('\n').find(line => line.startsWith('data: '))
        if (data !== undefined) yield JSON.parse(data.slice('data: '.length)) as ServerEvent
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** Rejects with the signal's reason as soon as it aborts. */
async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  const over = Promise.withResolvers<void>()
  const timer = setTimeout(over.resolve, milliseconds)
  const leave = (): void => over.resolve()
  signal?.addEventListener('abort', leave)
  if (signal?.aborted) leave()
  await over.promise
  signal?.removeEventListener('abort', leave)
  clearTimeout(timer)
  signal?.throwIfAborted()
}
