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

/** Bytes with a name, of which a caller may ask for a part. */
export interface DownloadOptions {
  /** Bytes. */
  readonly size: number
  /** The SHA-256, in hexadecimal digits: equal bytes have equal tags. */
  readonly hash: string
  readonly type?: string
  /** The bytes from `start` up to `end`, not included. */
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
  /** Aborted when its reader is given up in the middle. */
  readonly cut: AbortSignal

  constructor(parts: AsyncIterable<string>, cut: AbortSignal) {
    this.parts = parts
    this.cut = cut
  }
}

/** JSON text that is too long to be held at once: it is sent part by part. */
export class StreamReply {
  readonly parts: AsyncIterable<string>

  constructor(parts: AsyncIterable<string>) {
    this.parts = parts
  }
}
