import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inRepository } from '../../harness/process.js'
import { tableBytes } from './census.js'

/** A measurement of a server process; memory and files in bytes. */
export interface Sample {
  /** Seconds since the beginning. */
  readonly at: number
  readonly resident: number
  readonly handles: number
  readonly store: number
}

/** A measurement of the store, in bytes. */
export interface StoreSample {
  /** Seconds since the beginning. */
  readonly at: number
  /** Size of the database and its log, without the audit log. */
  readonly size: number
  /** Size of each table, including indices. */
  readonly tables: ReadonlyMap<string, number>
}

/** Measures a process from outside, by /proc and the files of its store. */
export class Gauge {
  readonly #process: number
  readonly #store: string
  readonly #begun = performance.now()
  readonly samples: Sample[] = []
  /** Measured less often, since each measurement reads the whole file. */
  readonly storeSamples: StoreSample[] = []

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

  takeStore(): StoreSample {
    const tables = tableBytes(this.#store)
    // The audit log is never truncated.
    const at = (performance.now() - this.#begun) / 1000
    const sample = { at, size: filesBeside(this.#store) - (tables.get('audit') ?? 0), tables }
    this.storeSamples.push(sample)
    return sample
  }
}

/** The heap of a server after a garbage collection, in bytes. */
export interface HeapSample {
  /** Reachable memory, in the heap and outside it. */
  readonly live: number
  /** Memory that V8 reserved for its heap; it grows under load and is not returned. */
  readonly reserved: number
}

/** Returns the environment of a server that logs its reachable memory to a file, every `seconds`. */
export const heapLogging = (file: string, seconds: number) => ({
  NODE_OPTIONS: `--expose-gc --import ${pathToFileURL(inRepository('packages/e2e/soak/programs/memory-log.mjs')).href}`,
  MEMORY_LOG: file,
  MEMORY_LOG_SECONDS: String(seconds),
})

export const heapSamples = (file: string): readonly HeapSample[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as HeapSample)

/** Returns the size of the database and its log. */
function filesBeside(store: string): number {
  const folder = dirname(store)
  return readdirSync(folder)
    .map(name => join(folder, name))
    .filter(path => path.startsWith(store))
    .reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0)
}

/** Returns a value's minimum in the middle third of a run and in the last third: the minimum excludes uncollected garbage. */
export function growth<Name extends string>(samples: readonly { readonly [N in Name]: number }[], name: Name) {
  const third = Math.floor(samples.length / 3)
  const least = (some: typeof samples): number => Math.min(...some.map(sample => sample[name]))
  return { middle: least(samples.slice(third, 2 * third)), end: least(samples.slice(2 * third)) }
}
