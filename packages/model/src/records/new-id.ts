/** Fills an array with random bytes, as `crypto.getRandomValues` does. */
export type Random = (bytes: Uint8Array<ArrayBuffer>) => void

const POOL_BYTES = 4096
const ID_BYTES = 8

/**
 * Returns a generator of ids: decimal digits, the current milliseconds followed by 18 random digits. They exceed any number, are unique across
 * devices and restarts, and sort by time of creation, so that an index grows at its end.
 */
export function idMaker(random: Random, now: () => number): () => string {
  const bytes = new Uint8Array(POOL_BYTES)
  const words = new DataView(bytes.buffer)
  let used = POOL_BYTES
  return () => {
    if (used === POOL_BYTES) {
      random(bytes)
      used = 0
    }
    const [high, low] = [words.getUint32(used) % 1e9, words.getUint32(used + 4) % 1e9]
    used += ID_BYTES
    return `${Math.max(1, Math.floor(now()))}${String(high).padStart(9, '0')}${String(low).padStart(9, '0')}`
  }
}

const KEY_TIME_BYTES = 6

/**
 * Returns a generator of mutation keys, in hexadecimal: the current milliseconds in 48 bits followed by 80 random bits, so that the journal's index
 * grows at its end.
 */
export function keyMaker(random: Random, now: () => number): () => string {
  return () => {
    const bytes = new Uint8Array(16)
    random(bytes)
    const time = Math.max(1, Math.floor(now()))
    const chance = Array.from(bytes.subarray(KEY_TIME_BYTES), byte => byte.toString(16).padStart(2, '0')).join('')
    return time.toString(16).padStart(2 * KEY_TIME_BYTES, '0') + chance
  }
}

/** Returns a generator of random numbers from 0 to 1. */
export function shareMaker(random: Random): () => number {
  const bytes = new Uint8Array(4)
  return () => {
    random(bytes)
    return new DataView(bytes.buffer).getUint32(0) / 2 ** 32
  }
}
