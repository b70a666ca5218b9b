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

/** Returns a function that runs histories in a separate process, with one bundle for all runs of a test file. */
export function useHistories(): (
  request: Pick<WorkerRequest, 'first' | 'histories' | 'about' | 'store'>,
) => HistoriesRun {
  const file = `${cache}simulator-histories-${process.pid}.mjs`
  beforeAll(async () => {
    mkdirSync(cache, { recursive: true })
    // Source maps nearly double the start of each process.
    const bundler = await openBundler(file)
    await bundler.bundle().finally(() => bundler.close())
  }, 120_000)
  afterAll(() => rmSync(file, { force: true }))
  return request => {
    const { code, lines, out } = runBundle(file, request)
    if (code === 0) return { kept: lines.at(-1)?.done, failure: '' }
    const failed = lines.find(({ failure }) => failure !== undefined)
    return { kept: undefined, failure: failed ? failureText(failed, request) : out }
  }
}
