const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c]
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d]
const [SPACE, TAB, LINE_FEED, RETURN] = [0x20, 0x09, 0x0a, 0x0d]

/** Bytes that are decoded at once. */
const PIECE = 4096

// Not at load: some engines have none, and read no page.
let utf8: TextDecoder | undefined

function textOf(bytes: Uint8Array): string {
  utf8 ??= new TextDecoder('utf-8', { ignoreBOM: true })
  return utf8.decode(bytes)
}

/**
 * Goes through any JSON in UTF-8 member by member, and keeps a large map as its bytes alone, outside of what is collected as garbage. What is not JSON is
 * noticed here or when its parts are parsed, as a SyntaxError.
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

  /** Where it stands: another cursor can begin there. */
  get at(): number {
    return this.#at
  }

  /** Into the object that stands here, whose members are next. */
  enter(): void {
    this.#step(OBJECT)
    this.#isFirst = true
  }

  /** The name of the next member, whose value is to be read or skipped before the one behind it; undefined behind the last. */
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

  /** The value that stands here, as JSON text. */
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

  /** Nothing but space is left. */
  end(): void {
    if (this.#at < this.#bytes.length) throw this.#unexpectedError()
  }

  /** Where a byte is a character, out of a larger piece: what is decoded in many small parts takes longer. */
  #textOf(from: number, to: number): string {
    if (to - from <= PIECE && to > this.#pieceTo) this.#decode(from)
    return to <= this.#pieceFrom + this.#piece.length
      ? this.#piece.slice(from - this.#pieceFrom, to - this.#pieceFrom)
      : textOf(this.#bytes.subarray(from, to))
  }

  #decode(from: number): void {
    const bytes = this.#bytes.subarray(from, from + PIECE)
    const piece = textOf(bytes)
    this.#pieceFrom = from
    this.#pieceTo = from + bytes.length
    this.#piece = piece.length === bytes.length ? piece : ''
  }

  /** To the end of a value: of its last bracket, its text, or before what follows a number or a word. */
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
      // Control characters stand in a text as escapes alone.
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
