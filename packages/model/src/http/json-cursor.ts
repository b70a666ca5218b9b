const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c]
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d]
const [SPACE, TAB, LINE_FEED, RETURN] = [0x20, 0x09, 0x0a, 0x0d]

/** Bytes decoded at a time. */
const PIECE_BYTES = 4096

// Created at first use: some engines lack it and never read a page.
let utf8: TextDecoder | undefined

function textOf(bytes: Uint8Array): string {
  utf8 ??= new TextDecoder('utf-8', { ignoreBOM: true })
  return utf8.decode(bytes)
}

/**
 * Reads JSON in UTF-8 member by member, so that a large map stays as bytes, outside the garbage-collected heap. Invalid JSON throws a SyntaxError
 * here or when its parts are parsed.
 */
export class JsonCursor {
  readonly #bytes: Uint8Array
  #at: number
  #piece = ''
  #pieceFrom = 0
  #pieceTo = 0
  #isFirst = true

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes
    this.#at = at
    this.#space()
  }

  /** The current position, from which another cursor can start. */
  get at(): number {
    return this.#at
  }

  /** Enters the object at the current position. */
  enter(): void {
    this.#step(OBJECT)
    this.#isFirst = true
  }

  /** Returns the name of the next member, whose value has to be read or skipped next; undefined after the last. */
  member(): string | undefined {
    if (this.#bytes[this.#at] === OBJECT_END) {
      this.#step(OBJECT_END)
      return undefined
    }
    if (!this.#isFirst) this.#step(COMMA)
    this.#isFirst = false
    if (this.#bytes[this.#at] !== QUOTE) throw this.#unexpectedError()
    const from = this.#at
    this.#passText()
    const name = this.#textOf(from + 1, this.#at - 1)
    this.#space()
    this.#step(COLON)
    return name.includes('\\') ? (JSON.parse(`"${name}"`) as string) : name
  }

  /** Returns the value at the current position as JSON text. */
  value(): string {
    const from = this.#at
    this.#pass()
    const text = this.#textOf(from, this.#at)
    this.#space()
    return text
  }

  skip(): void {
    this.#pass()
    this.#space()
  }

  /** Checks that only whitespace is left. */
  end(): void {
    if (this.#at < this.#bytes.length) throw this.#unexpectedError()
  }

  /** Decodes bytes as characters in larger pieces, since decoding many small parts is slower. */
  #textOf(from: number, to: number): string {
    if (to - from <= PIECE_BYTES && to > this.#pieceTo) this.#decode(from)
    return to <= this.#pieceFrom + this.#piece.length
      ? this.#piece.slice(from - this.#pieceFrom, to - this.#pieceFrom)
      : textOf(this.#bytes.subarray(from, to))
  }

  #decode(from: number): void {
    const bytes = this.#bytes.subarray(from, from + PIECE_BYTES)
    const piece = textOf(bytes)
    this.#pieceFrom = from
    this.#pieceTo = from + bytes.length
    this.#piece = piece.length === bytes.length ? piece : ''
  }

  /** Skips a value: to its closing bracket or quote, or to the end of a number or word. */
  #pass(): void {
    for (let depth = 0; ; ) {
      const byte = this.#bytes[this.#at]
      if (byte === undefined) throw this.#unexpectedError()
      const isEnd = byte === OBJECT_END || byte === LIST_END
      if (depth === 0 && (isEnd || byte === COMMA)) return
      if (byte === QUOTE) this.#passText()
      else this.#at++
      if (isEnd) depth--
      else if (byte === OBJECT || byte === LIST) depth++
      if (depth === 0 && (isEnd || byte === QUOTE)) return
    }
  }

  #passText(): void {
    for (this.#at++; ; this.#at++) {
      const byte = this.#bytes[this.#at]
      // Control characters must be escaped in strings.
      if (byte === undefined || byte < SPACE) throw this.#unexpectedError()
      if (byte === QUOTE) break
      if (byte === BACKSLASH) this.#at++
    }
    this.#at++
  }

  #step(byte: number): void {
    if (this.#bytes[this.#at] !== byte) throw this.#unexpectedError()
    this.#at++
    this.#space()
  }

  #space(): void {
    for (let byte = this.#bytes[this.#at]; byte !== undefined && byte <= SPACE; byte = this.#bytes[this.#at]) {
      if (byte !== SPACE && byte !== TAB && byte !== LINE_FEED && byte !== RETURN) return
      this.#at++
    }
  }

  #unexpectedError(): SyntaxError {
    return new SyntaxError(`expected JSON, got something else at byte ${this.#at}.`)
  }
}
