import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What a server process has at one moment. Memory and files in bytes. */
export interface Sample {
  /** Seconds since the beginning. */
  readonly at: number
  readonly resident: number
  readonly handles: number
  readonly store: number
}

/** Reads how a process is from the outside, by /proc and the files of its store. */
export class Gauge {
  readonly #process: number
  readonly #store: string
  readonly #begun = performance.now()
  readonly samples: Sample[] = []

  constructor(process: number, store: string) {
    this.#process = process
    this.#store = store
  }

  take(): void {
    const status = readFileSync(`/proc/${this.#process}/status`, 'utf8')
    this.samples.push({
      at: (performance.now() - this.#begun) / 1000,
      resident: Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024,
      handles: readdirSync(`/proc/${this.#process}/fd`).length,
      store: filesBeside(this.#store),
    })
  }
}

/** The database with its log. */
function filesBeside(store: string): number {
  const folder = dirname(store)
  return readdirSync(folder)
    .map(name => join(folder, name))
    .filter(path => path.startsWith(store))
    .reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0)
}

/** The least of a number in the middle third of a run and in its last: what a collector may free does not count. */
export function growth(samples: readonly Sample[], name: 'resident' | 'handles' | 'store') {
  const third = Math.floor(samples.length / 3)
  const least = (some: readonly Sample[]): number => Math.min(...some.map(sample => sample[name]))
  return { middle: least(samples.slice(third, 2 * third)), end: least(samples.slice(2 * third)) }
}
