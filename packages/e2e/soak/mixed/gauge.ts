import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inRepository } from '../../harness/process.js'
import { tableBytes } from './census.js'

/** What a server process has at one moment. Memory and files in bytes. */
export interface Sample {
  /** Seconds since the beginning. */
  readonly at: number
  readonly resident: number
  readonly handles: number
  readonly store: number
}

/** The store at one moment, in bytes. */
export interface StoreSample {
  /** Seconds since the beginning. */
  readonly at: number
  /** The database with its log, without the audit. */
  readonly size: number
  /** Each table with its indices. */
  readonly tables: ReadonlyMap<string, number>
}

/** Reads how a process is from the outside, by /proc and the files of its store. */
export class Gauge {
  readonly #process: number
  readonly #store: string
  readonly #begun = performance.now()
  readonly samples: Sample[] = []
  /** Taken less often: each reads the whole file. */
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
    // The audit is never shortened.
    const at = (performance.now() - this.#begun) / 1000
    const sample = { at, size: filesBeside(this.#store) - (tables.get('audit') ?? 0), tables }
    this.storeSamples.push(sample)
    return sample
  }
}

/** What the collector of a server left at one moment, in bytes. */
export interface HeapSample {
  /** What is reachable, in the heap and beside it. */
  readonly live: number
  /** What V8 took from the system for its heap; young objects get more room while there is much to do, and it is not given back. */
  readonly reserved: number
}

/** The environment of a server that writes to this file what is reachable, at this interval in seconds. */
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

/** The database with its log. */
function filesBeside(store: string): number {
  const folder = dirname(store)
  return readdirSync(folder)
    .map(name => join(folder, name))
    .filter(path => path.startsWith(store))
    .reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0)
}

/** The least of a number in the middle third of a run and in its last: what a collector may free does not count. */
export function growth<Name extends string>(samples: readonly { readonly [N in Name]: number }[], name: Name) {
  const third = Math.floor(samples.length / 3)
  const least = (some: typeof samples): number => Math.min(...some.map(sample => sample[name]))
  return { middle: least(samples.slice(third, 2 * third)), end: least(samples.slice(2 * third)) }
}
