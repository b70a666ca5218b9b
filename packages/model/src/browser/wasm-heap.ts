import type { Pointer, Sqlite3 } from './sqlite3.js'

/** ASCII texts up to these lengths are converted by hand, because calling the encoder costs more. */
const SHORT_TO_WRITE = 40
const SHORT_TO_READ = 24
const INITIAL_BYTES = 64 * 1024
const ASCII = 0x80

/** Copies texts and bytes into and out of the module's memory, through one buffer that grows. */
export class WasmHeap {
  readonly #wasm: Sqlite3['wasm']
  readonly #encoder = new TextEncoder()
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  #room = INITIAL_BYTES
  #scratch: Pointer

  constructor(wasm: Sqlite3['wasm']) {
    this.#wasm = wasm
    this.#scratch = wasm.alloc(INITIAL_BYTES)
  }

  /** Address of the text or bytes written last. */
  get pointer(): Pointer {
    return this.#scratch
  }

  /** Writes a text as UTF-8 with a terminating NUL. Returns its length in bytes, without the NUL. */
  writeText(text: string): number {
    const { length } = text
    this.#reserve(length * 3 + 1)
    const heap = this.#wasm.heap8u()
    const written = this.#writeAscii(heap, text)
    const bytes =
      written === length
        ? length
        : this.#encoder.encodeInto(text, heap.subarray(this.#scratch, this.#scratch + this.#room)).written
    heap[this.#scratch + bytes] = 0
    return bytes
  }

  writeBytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length + 1)
    this.#wasm.heap8u().set(bytes, this.#scratch)
  }

  readText(from: Pointer, length: number): string {
    if (length === 0) return ''
    const heap = this.#wasm.heap8u()
    const to = from + length
    if (length > SHORT_TO_READ) return this.#decoder.decode(heap.subarray(from, to))
    let text = ''
    for (let at = from; at < to; at++) {
      const byte = heap[at] as number
      if (byte >= ASCII) return this.#decoder.decode(heap.subarray(from, to))
      text += String.fromCharCode(byte)
    }
    return text
  }

  readBytes(from: Pointer, length: number): Uint8Array {
    return this.#wasm.heap8u().slice(from, from + length)
  }

  free(): void {
    this.#wasm.dealloc(this.#scratch)
    this.#scratch = 0
  }

  /** Writes a short text up to its first character that is not ASCII. Returns the number of characters written. */
  #writeAscii(heap: Uint8Array, text: string): number {
    if (text.length > SHORT_TO_WRITE) return -1
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code >= ASCII) return at
      heap[this.#scratch + at] = code
    }
    return text.length
  }

  #reserve(bytes: number): void {
    if (bytes <= this.#room) return
    const room = bytes * 2
    const scratch = this.#wasm.alloc(room)
    this.#wasm.dealloc(this.#scratch)
    this.#scratch = scratch
    this.#room = room
  }
}
