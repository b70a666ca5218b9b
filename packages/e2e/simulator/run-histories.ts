import { mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from '@jest/globals'
import { openBundler } from './programs/bundler.js'
import { failureText, runBundle } from './programs/run-bundle.js'
import type { WorkerRequest } from './world/worker.js'

/** What a run of histories found. */
interface HistoriesRun {
  /** Number of histories that kept every promise. */
  readonly kept: number | undefined
  /** The events of the history that failed, and other output; empty if none did. */
  readonly failure: string
}

const cache = fileURLToPath(new URL('../node_modules/.cache/', import.meta.url))

/** Runs the histories of a test file. */
export interface Histories {
  /** Runs histories in a separate process. */
  run(request: Pick<WorkerRequest, 'first' | 'histories' | 'about' | 'store'>): HistoriesRun
  /** The faults and comparisons that happened in no history so far. */
  missing(): readonly string[]
}

/** Returns what runs histories, with one bundle for all runs of a test file. */
export function useHistories(): Histories {
  const file = `${cache}simulator-histories-${process.pid}.mjs`
  const counts = new Map<string, number>()
  beforeAll(async () => {
    mkdirSync(cache, { recursive: true })
    // Source maps nearly double the start of each process.
    const bundler = await openBundler(file)
    await bundler.bundle().finally(() => bundler.close())
  }, 120_000)
  afterAll(() => rmSync(file, { force: true }))
  return {
    run(request) {
      const { code, lines, out } = runBundle(file, request)
      for (const [name, count] of Object.entries(lines.at(-1)?.counts ?? {}))
        counts.set(name, (counts.get(name) ?? 0) + count)
      if (code === 0) return { kept: lines.at(-1)?.done, failure: '' }
      const failed = lines.find(({ failure }) => failure !== undefined)
      return { kept: undefined, failure: failed ? failureText(failed, request) : out }
    },
    missing: () =>
      counts.size === 0 ? ['any history'] : [...counts].filter(([, count]) => count === 0).map(([name]) => name),
  }
}
