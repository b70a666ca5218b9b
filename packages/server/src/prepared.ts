export interface PreparedOptions {
  /** The content type. Default JSON. */
  readonly type?: string
  readonly headers?: { readonly [name: string]: string | readonly string[] }
}

export const JSON_TYPE = 'application/json; charset=utf-8'
export const EVENTS_TYPE = 'text/event-stream; charset=utf-8'
export const TEXT_TYPE = 'text/plain; charset=utf-8'

/** An answer that is already text, or has headers of its own. */
export class Prepared {
  readonly text: string
  readonly type: string
  readonly headers: { readonly [name: string]: string | readonly string[] }

  constructor(text: string, { type = JSON_TYPE, headers = {} }: PreparedOptions = {}) {
    this.text = text
    this.type = type
    this.headers = headers
  }
}

/** A stream of events that stays open. */
export class Live {
  readonly parts: AsyncIterable<string>
  /** Aborted when its reader is given up in the middle. */
  readonly cut: AbortSignal

  constructor(parts: AsyncIterable<string>, cut: AbortSignal) {
    this.parts = parts
    this.cut = cut
  }
}

/** JSON text that is too long to be held at once: it is sent part by part. */
export class Streamed {
  readonly parts: AsyncIterable<string>

  constructor(parts: AsyncIterable<string>) {
    this.parts = parts
  }
}
