import { Histogram } from './histogram.js'

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

/** How often something failed: by route and by code of the error, both of which are known lists. */
export class Failures implements Family {
  readonly type = 'counter'
  readonly name: string
  readonly help: string
  readonly #counts = new Map<string, Map<string, number>>()

  constructor({ name, help }: Omit<Naming, 'label'>) {
    this.name = name
    this.help = help
  }

  count(route: string, code: string): void {
    const codes = this.#counts.get(route) ?? new Map<string, number>()
    this.#counts.set(route, codes.set(code, (codes.get(code) ?? 0) + 1))
  }

  samples(): readonly Sample[] {
    return [...this.#counts].flatMap(([route, codes]) =>
      [...codes].map(([code, value]) => ({ labels: { route, code }, value })),
    )
  }
}
