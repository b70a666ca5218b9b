/** A seeded pseudorandom number generator with the same sequence on every machine. */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** Returns a number in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  between(least: number, most: number): number {
    return least + this.below(most - least + 1)
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  any<Value>(values: readonly Value[]): Value | undefined {
    return values[this.below(values.length)]
  }

  /** Returns a name with a probability proportional to its weight. */
  weighted<Name extends string>(weights: { readonly [name in Name]: number }): Name {
    const entries = Object.entries(weights) as [Name, number][]
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [name, weight] of entries) {
      left -= weight
      if (left < 0) return name
    }
    return (entries.at(-1) as [Name, number])[0]
  }

  fill(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at++) bytes[at] = this.below(256)
  }

  /** Returns a random id of 128 bits as text. */
  id(): string {
    return Array.from({ length: 4 }, () => Math.floor(this.next() * 4294967296).toString(36)).join('-')
  }
}
