import { idLanes, type ObjectId } from '@godwit/protocol'

const PARTS = 64
const DIGITS = 8

/**
 * A set of ids as a count and a sketch: the sum of the ids' hashes in each of 64 parts, 512 hexadecimal digits. Two sketches show how nearly their
 * sets are the same, however large these are.
 */
export class RemovedIds {
  count = 0
  readonly #sums = new Uint32Array(PARTS)

  add(id: ObjectId): void {
    const { high, low } = idLanes(id)
    const part = (high ^ (high >>> 16)) & (PARTS - 1)
    this.#sums[part] = (this.#sums[part] ?? 0) + mix(low)
    this.count++
  }

  get sketch(): string {
    return Array.from(this.#sums, sum => sum.toString(16).padStart(DIGITS, '0')).join('')
  }
}

/** Keeps the hashes of similar ids from cancelling each other out. */
const mix = (lane: number): number => Math.imul(lane ^ (lane >>> 15), 0x846ca68b) >>> 0

const EMPTY = '0'.repeat(DIGITS)

/** True if the sketches are of the same ids, or nearly so: of the parts with ids, at most a quarter differ. */
export function nearlySame(one: string, other: string): boolean {
  let filled = 0
  let different = 0
  for (let at = 0; at < PARTS * DIGITS; at += DIGITS) {
    const [left, right] = [one.slice(at, at + DIGITS), other.slice(at, at + DIGITS)]
    if (left !== EMPTY || right !== EMPTY) filled++
    if (left !== right) different++
  }
  return different <= filled / 4
}
