export interface PreparedOptions {
  /** The content type. Default JSON. */
  readonly type?: string
  readonly headers?: { readonly [name: string]: string | readonly string[] }
}

export const JSON_TYPE = 'application/json; charset=utf-8'
export const EVENTS_TYPE = 'text/event-stream; charset=utf-8'
export const BYTES_TYPE = 'application/octet-stream'
export const TEXT_TYPE = 'text/plain; charset=utf-8'

/** A reply whose body is already text, or that has additional headers. */
export class TextReply {
  readonly text: string
  readonly type: string
  readonly headers: { readonly [name: string]: string | readonly string[] }

  constructor(text: string, { type = JSON_TYPE, headers = {} }: PreparedOptions = {}) {
    this.text = text
    this.type = type
    this.headers = headers
  }
}

/** A download whose ranges can be requested. */
export interface DownloadOptions {
  /** Bytes. */
  readonly size: number
  /** The SHA-256 in hexadecimal digits, used as the entity tag. */
  readonly hash: string
  readonly type?: string
  /** Returns the bytes from `start` up to `end`, exclusive. */
  readonly read: (start: number, end: number) => AsyncIterable<Uint8Array>
}

export class Download {
  readonly size: number
  readonly hash: string
  readonly type: string
  readonly read: DownloadOptions['read']

  constructor({ size, hash, type = BYTES_TYPE, read }: DownloadOptions) {
    this.size = size
    this.hash = hash
    this.type = type
    this.read = read
  }
}

/** A stream of events that stays open. */
export class EventStreamReply {
  readonly parts: AsyncIterable<string>
  /** Aborted when its reader is dropped in the middle. */
  readonly cut: AbortSignal

  constructor(parts: AsyncIterable<string>, cut: AbortSignal) {
    this.parts = parts
    this.cut = cut
  }
}

/** JSON text sent in parts, since it is too long to be held in memory. */
export class StreamReply {
  readonly parts: AsyncIterable<string>

  constructor(parts: AsyncIterable<string>) {
    this.parts = parts
  }
}
