import { randomFillSync } from 'node:crypto'

/** Bytes of one text: 128 bits. */
const LENGTH = 16

/**
 * Returns a generator of random texts. It reads the random bytes of many at a time, since a system call takes longer than the rest of a small batch.
 */
export function randomTexts(): () => string {
  const bytes = Buffer.alloc(256 * LENGTH)
  let at = bytes.length
  return () => {
    if (at === bytes.length) {
      randomFillSync(bytes)
      at = 0
    }
    at += LENGTH
    return bytes.toString('base64url', at - LENGTH, at)
  }
}
