import type { Hasher } from './device-files.js'

const BLOCK_BYTES = 64
const LENGTH_OFFSET = 56

/** The first 32 bits of the fractional parts of a root of the first primes, as in the standard. */
function fractions(count: number, root: (prime: number) => number): Uint32Array {
  const primes: number[] = []
  for (let number = 2; primes.length < count; number++)
    if (primes.every(prime => number % prime !== 0)) primes.push(number)
  return Uint32Array.from(primes, prime => (root(prime) % 1) * 2 ** 32)
}

const ROUND_CONSTANTS = fractions(64, Math.cbrt)
const INITIAL_HASH = fractions(8, Math.sqrt)

/** An incremental SHA-256, which the platform's is not. */
export class Sha256 implements Hasher {
  readonly #state = INITIAL_HASH.slice()
  readonly #words = new Uint32Array(64)
  readonly #block = new Uint8Array(BLOCK_BYTES)
  #filled = 0
  #length = 0

  update(bytes: Uint8Array): void {
    this.#length += bytes.length
    for (let at = 0; at < bytes.length; ) {
      const part = bytes.subarray(at, at + BLOCK_BYTES - this.#filled)
      this.#block.set(part, this.#filled)
      this.#filled += part.length
      at += part.length
      if (this.#filled === BLOCK_BYTES) this.#compress()
    }
  }

  digest(): string {
    const bits = this.#length * 8
    this.#block.fill(0, this.#filled)
    this.#block[this.#filled] = 0x80
    if (this.#filled >= LENGTH_OFFSET) {
      this.#compress()
      this.#block.fill(0)
    }
    const view = new DataView(this.#block.buffer)
    view.setUint32(LENGTH_OFFSET, Math.floor(bits / 2 ** 32))
    view.setUint32(LENGTH_OFFSET + 4, bits >>> 0)
    this.#compress()
    return Array.from(this.#state, word => word.toString(16).padStart(8, '0')).join('')
  }

  #compress(): void {
    const words = this.#words
    const view = new DataView(this.#block.buffer)
    for (let at = 0; at < 16; at++) words[at] = view.getUint32(at * 4)
    for (let at = 16; at < 64; at++) {
      const [early, late] = [words[at - 15] as number, words[at - 2] as number]
      const first = rotateRight(early, 7) ^ rotateRight(early, 18) ^ (early >>> 3)
      const second = rotateRight(late, 17) ^ rotateRight(late, 19) ^ (late >>> 10)
      words[at] = (words[at - 16] as number) + first + (words[at - 7] as number) + second
    }
    this.#mix(words)
    this.#filled = 0
  }

  #mix(words: Uint32Array): void {
    const state = this.#state
    let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
    for (let at = 0; at < 64; at++) {
      const high = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25)
      const one = (h + high + ((e & f) ^ (~e & g)) + (ROUND_CONSTANTS[at] as number) + (words[at] as number)) | 0
      const low = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22)
      const two = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0
      h = g
      g = f
      f = e
      e = (d + one) | 0
      d = c
      c = b
      b = a
      a = (one + two) | 0
    }
    for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) state[at] = (state[at] as number) + word
  }
}

const rotateRight = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits))
