import { hashOf } from '../actors/device-files.js'
import type { Dice } from './dice.js'

/** Size in bytes of a photo that exceeds one request. */
const LARGE_SIZE = 1024 * 1024 + 7

/** The contents of all photos of a history, by name. */
export class Photos {
  readonly #contents = new Map<string, Uint8Array>()

  /** Returns a new content or, sometimes, an existing one. */
  any(dice: Dice, { hasLarge }: { readonly hasLarge: boolean }): Uint8Array {
    const known = dice.chance(0.3) ? dice.any([...this.#contents.values()]) : undefined
    if (known) return known
    const text = `photo ${this.#contents.size + 1} `.repeat(dice.between(1, 4))
    const isLarge = hasLarge && dice.chance(0.03)
    return this.note(Buffer.concat([Buffer.from(text), Buffer.alloc(isLarge ? LARGE_SIZE : 0)]))
  }

  note(bytes: Uint8Array): Uint8Array {
    this.#contents.set(hashOf(bytes), bytes)
    return bytes
  }

  sizeOf(hash: string): number {
    return this.#contents.get(hash)?.length ?? 0
  }
}
