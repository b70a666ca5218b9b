import type { ServerEvent, StreamEndedEvent } from '@godwit/protocol'
import { SseStream, sseText } from '../../base/sse-stream.js'

/** The watcher of a stream, and its filter. */
export interface Watcher {
  readonly login: string
  /** The id of the token. */
  readonly credential: string
  /** The kinds of events to send; undefined for all. */
  readonly kinds: ReadonlySet<string> | undefined
  readonly source: string | undefined
  readonly user: string | undefined
  /** The id of the last event that the watcher received. */
  readonly after: string | undefined
}

/** The hub functions that a stream needs. */
export interface WatchHost {
  /** Resolves when events are received. */
  join(stream: WatchStream): Promise<void>
  leave(stream: WatchStream): void
  /** True while the token is valid for watching. */
  mayWatch(watcher: Watcher): Promise<boolean>
  /** ISO 8601. */
  now(): string
}

/** The number of characters buffered for a slow reader at most. */
export const MAX_BUFFER = 1024 * 1024
/** The number of characters written at once. */
const WRITE_SIZE = 64 * 1024
/** Milliseconds after which a token is checked again before an event is sent. */
const CHECK_INTERVAL = 2000

/**
 * The event stream of one watcher. Its buffer is bounded: a reader that falls behind gets `slow` as its last event, and may resume after the last
 * event that it read.
 */
export class WatchStream extends SseStream {
  readonly watcher: Watcher
  readonly #host: WatchHost
  #unread: string[] = []
  #size = 0
  #lookedAt = 0

  constructor(host: WatchHost, watcher: Watcher) {
    super()
    this.#host = host
    this.watcher = watcher
  }

  send(event: ServerEvent): void {
    if (this.hasEnded || !this.#matches(event)) return
    const text = eventText(event)
    if (this.#size + text.length > MAX_BUFFER) return void this.end('slow')
    this.#unread.push(text)
    this.#size += text.length
    this.wake()
  }

  /** Ends the stream with the reason as its last event. For `slow` and `revoked` the unread events are discarded. */
  end(reason: StreamEndedEvent['reason']): void {
    if (this.hasEnded) return
    if (reason === 'slow' || reason === 'revoked') this.#unread = []
    this.#unread.push(eventText({ kind: 'stream_ended', reason, time: this.#host.now() }))
    this.close()
  }

  override async return(): Promise<IteratorResult<string>> {
    this.#unread = []
    return super.return()
  }

  protected override join(): Promise<void> {
    this.#lookedAt = performance.now()
    return this.#host.join(this)
  }

  protected override leave(): void {
    this.#host.leave(this)
  }

  protected override async take(): Promise<string> {
    if (!this.hasEnded && this.#mustLook()) await this.#checkSession()
    const parts: string[] = []
    for (let size = 0; size < WRITE_SIZE && this.#unread.length > parts.length; size += parts.at(-1)?.length ?? 0)
      parts.push(this.#unread[parts.length] as string)
    this.#unread.splice(0, parts.length)
    this.#size = this.#unread.reduce((sum, { length }) => sum + length, 0)
    if (!this.hasEnded) parts.push(this.takeHeartbeat())
    return parts.join('')
  }

  #matches(event: ServerEvent): boolean {
    const { kinds, source, user } = this.watcher
    if (!('id' in event)) return true
    if (kinds && !kinds.has(event.kind)) return false
    if (source !== undefined && !('source' in event && event.source === source)) return false
    return user === undefined || ('user' in event && event.user === user)
  }

  #mustLook(): boolean {
    return (this.hasHeartbeat || this.#unread.length > 0) && performance.now() - this.#lookedAt >= CHECK_INTERVAL
  }

  async #checkSession(): Promise<void> {
    this.#lookedAt = performance.now()
    // Without an answer from the store the stream ends, as if the token were revoked.
    if (!(await this.#host.mayWatch(this.watcher).catch(() => false))) this.end('revoked')
  }
}

const eventText = (event: ServerEvent): string => sseText(event.kind, event, 'id' in event ? event.id : undefined)
