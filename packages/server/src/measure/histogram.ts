/** Values counted by how large they are. To observe is a few comparisons and two additions: nothing is made, nothing is looked up. */
export class Histogram {
  /** Upper ends, ascending; a value that is equal still belongs to it. */
  readonly bounds: readonly number[]
  /** By bound, and last what is above all of them. */
  readonly counts: Float64Array
  sum = 0

  constructor(bounds: readonly number[]) {
    this.bounds = bounds
    this.counts = new Float64Array(bounds.length + 1)
  }

  observe(value: number): void {
    const { bounds, counts } = this
    let place = 0
    while (place < bounds.length && value > (bounds[place] as number)) place++
    counts[place] = (counts[place] as number) + 1
    this.sum += value
  }
}
