import { Histogram } from './histogram.js'
import { quantile } from './quantile.js'

/** One line of a metric as it is shown. */
export interface Sample {
  /** Where it is not that of the family: of the parts of a histogram. */
  readonly metricName?: string
  readonly labels: { readonly [name: string]: string }
  readonly value: number
}

/** A metric and its lines. */
export interface Family {
  readonly name: string
  readonly help: string
  readonly type: 'histogram' | 'counter'
  samples(): readonly Sample[]
}

interface Naming {
  readonly name: string
  readonly help: string
  /** What tells its histograms apart. Absent: there is one. */
  readonly label?: string
}

/** Histograms of one kind, one per value of their label. */
export class Histograms implements Family {
  readonly type = 'histogram'
  readonly name: string
  readonly help: string
  readonly #label: string | undefined
  readonly #bounds: readonly number[]
  readonly #all = new Map<string, Histogram>()

  constructor({ name, help, label }: Naming, bounds: readonly number[]) {
    this.name = name
    this.help = help
    this.#label = label
    this.#bounds = bounds
  }

  /** The values of the label are names that the server gives: of routes and of sources that it has. */
  of(value = ''): Histogram {
    const known = this.#all.get(value)
    if (known) return known
    const made = new Histogram(this.#bounds)
    this.#all.set(value, made)
    return made
  }

  /** Value of the label → how many values lie between each two bounds. */
  counts(): readonly (readonly [string, readonly number[]])[] {
    return [...this.#all].map(([value, { counts }]) => [value, [...counts]])
  }

  /** Value of the label → how many were done within how many seconds, over counts of this kind from anywhere. */
  quantilesOf(
    counts: ReadonlyMap<string, readonly number[]>,
    shares: readonly number[],
  ): readonly (readonly [string, number, readonly number[]])[] {
    return [...counts].map(([value, counts]) => {
      const count = counts.reduce((sum, one) => sum + one, 0)
      return [value, count, shares.map(share => quantile(counts, this.#bounds, share))]
    })
  }

  samples(): readonly Sample[] {
    return [...this.#all].flatMap(([value, histogram]) =>
      this.#samplesOf(histogram, this.#label === undefined ? {} : { [this.#label]: value }),
    )
  }

  #samplesOf({ counts, sum }: Histogram, labels: Sample['labels']): readonly Sample[] {
    let below = 0
    const buckets = [...counts].map((count, place) => {
      below += count
      const le = String(this.#bounds[place] ?? '+Inf')
      return { metricName: `${this.name}_bucket`, labels: { ...labels, le }, value: below }
    })
    return [
      ...buckets,
      { metricName: `${this.name}_sum`, labels, value: sum },
      { metricName: `${this.name}_count`, labels, value: below },
    ]
  }
}

/** How often something happened, by labels whose values are known lists: routes, codes of errors, sources. */
export class Counts<Label extends string> implements Family {
  readonly type = 'counter'
  readonly name: string
  readonly help: string
  readonly #samples = new Map<string, { readonly labels: { readonly [Name in Label]: string }; value: number }>()

  constructor({ name, help }: Omit<Naming, 'label'>) {
    this.name = name
    this.help = help
  }

  /** Counting nothing shows a 0: what grows from there is noticed. */
  count(labels: { readonly [Name in Label]: string }, times = 1): void {
    const key = Object.values(labels).join('\n')
    const sample = this.#samples.get(key) ?? { labels, value: 0 }
    sample.value += times
    this.#samples.set(key, sample)
  }

  samples(): readonly Sample[] {
    return [...this.#samples.values()].map(({ labels, value }) => ({ labels, value }))
  }
}
