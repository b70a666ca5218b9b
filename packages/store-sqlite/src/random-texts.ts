import { randomFillSync } from 'node:crypto'

/** Bytes of one text: 128 bits. */
const LENGTH = 16

/** Gives random texts. The system is asked for the bytes of many at a time: asking takes longer than the rest of a small batch. */
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
