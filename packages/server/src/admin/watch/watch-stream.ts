import type { ServerEvent, StreamEndedEvent } from '@godwit/protocol'
import { HEARTBEAT } from '../../device/events/event-text.js'

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
const DONE: IteratorResult<string> = { done: true, value: undefined }

/**
 * The event stream of one watcher. Its buffer is bounded: a reader that falls behind gets `slow` as its last event, and may resume after the last
 * event that it read.
 */
export class WatchStream implements AsyncIterableIterator<string> {
  readonly watcher: Watcher
  readonly #host: WatchHost
  readonly #abortController = new AbortController()
  #unread: string[] = []
  #size = 0
  #beat = false
  #hasJoined = false
  #hasEnded = false
  #lookedAt = 0
  #wake: (() => void) | undefined

  constructor(host: WatchHost, watcher: Watcher) {
    this.#host = host
    this.watcher = watcher
  }

  /** Aborted when the reader is dropped in the middle of a response. */
  get cut(): AbortSignal {
    return this.#abortController.signal
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<string>> {
    if (!this.#hasJoined) {
      this.#hasJoined = true
      this.#lookedAt = performance.now()
      await this.#host.join(this)
    }
    for (;;) {
      if (!this.#hasEnded && this.#mustLook()) await this.#checkSession()
      const text = this.#takeText()
      if (text !== '') return { done: false, value: text }
      if (this.#hasEnded) return DONE
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
  }

  async return(): Promise<IteratorResult<string>> {
    this.#unread = []
    this.#close()
    return DONE
  }

  send(event: ServerEvent): void {
    if (this.#hasEnded || !this.#matches(event)) return
    const text = eventText(event)
    if (this.#size + text.length > MAX_BUFFER) return void this.end('slow')
    this.#unread.push(text)
    this.#size += text.length
    this.#wakeReader()
  }

  /** Sends a heartbeat, or drops a reader that has not read the last one. */
  beat(): void {
    if (this.#beat) {
      this.#close()
      return void this.#abortController.abort()
    }
    this.#beat = true
    this.#wakeReader()
  }

  /** Ends the stream with the reason as its last event. For `slow` and `revoked` the unread events are discarded. */
  end(reason: StreamEndedEvent['reason']): void {
    if (this.#hasEnded) return
    if (reason === 'slow' || reason === 'revoked') this.#unread = []
    this.#unread.push(eventText({ kind: 'stream_ended', reason, time: this.#host.now() }))
    this.#close()
  }

  #close(): void {
    this.#hasEnded = true
    this.#host.leave(this)
    this.#wakeReader()
  }

  #matches(event: ServerEvent): boolean {
    const { kinds, source, user } = this.watcher
    if (!('id' in event)) return true
    if (kinds && !kinds.has(event.kind)) return false
    if (source !== undefined && !('source' in event && event.source === source)) return false
    return user === undefined || ('user' in event && event.user === user)
  }

  #mustLook(): boolean {
    return (this.#beat || this.#unread.length > 0) && performance.now() - this.#lookedAt >= CHECK_INTERVAL
  }

  async #checkSession(): Promise<void> {
    this.#lookedAt = performance.now()
    // Without an answer from the store the stream ends, as if the token were revoked.
    if (!(await this.#host.mayWatch(this.watcher).catch(() => false))) this.end('revoked')
  }

  #takeText(): string {
    const parts: string[] = []
    for (let size = 0; size < WRITE_SIZE && this.#unread.length > parts.length; size += parts.at(-1)?.length ?? 0)
      parts.push(this.#unread[parts.length] as string)
    this.#unread.splice(0, parts.length)
    this.#size = this.#unread.reduce((sum, { length }) => sum + length, 0)
    if (this.#beat && !this.#hasEnded) parts.push(HEARTBEAT)
    this.#beat = false
    return parts.join('')
  }

  #wakeReader(): void {
    this.#wake?.()
    this.#wake = undefined
  }
}

/** The text of a server-sent event. JSON contains no line breaks, so one data line holds it. */
const eventText = (event: ServerEvent): string =>
  `${'id' in event ? `id: ${event.id}\n` : ''}event: ${event.kind}\ndata: ${JSON.stringify(event)}\n\n`
