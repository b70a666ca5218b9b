/** Latencies of requests by name, in constant memory: a histogram with steps of 10 %. */
export class Latencies {
  readonly #steps = new Map<string, Map<number, number>>()

  add(name: string, milliseconds: number): void {
    const steps = this.#steps.get(name) ?? new Map<number, number>()
    this.#steps.set(name, steps)
    const step = Math.ceil(Math.log(Math.max(0.1, milliseconds)) / Math.log(1.1))
    steps.set(step, (steps.get(step) ?? 0) + 1)
  }

  /** Returns, by name, the number of calls and their 50th and 99th percentile in milliseconds. */
  report(): { readonly [name: string]: { readonly count: number; readonly p50: number; readonly p99: number } } {
    const rows = [...this.#steps].map(([name, steps]) => {
      const sorted = [...steps].sort(([one], [other]) => one - other)
      const count = sorted.reduce((sum, [, many]) => sum + many, 0)
      return [name, { count, p50: within(sorted, count * 0.5), p99: within(sorted, count * 0.99) }] as const
    })
    return Object.fromEntries(rows)
  }
}

function within(sorted: readonly (readonly [step: number, many: number])[], wanted: number): number {
  let seen = 0
  for (const [step, many] of sorted) {
    seen += many
    if (seen >= wanted) return Math.round(1.1 ** step * 10) / 10
  }
  return 0
}
