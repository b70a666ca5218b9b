import { mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll } from '@jest/globals'
import { type Bundler, openBundler } from '../programs/bundler.js'
import { runBundle } from '../programs/run-bundle.js'
import { isFeature } from '../world/feature-scenarios.js'
import type { WorkerRequest } from '../world/worker.js'
import type { Mutant } from './mutant.js'

/** Number of histories tried for a fault, of all plans or one scenario; `pnpm test:deep` runs a part of them without a fault. */
const ALL_HISTORIES = 2400
/** Number of histories tried for a fault with a feature. */
const SCENARIO_HISTORIES = 100

const cache = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url))

/** The outcome of the histories of a fault. */
export interface Catch {
  readonly isCaught: boolean
  /** The end of what the simulator printed. */
  readonly out: string
}

/** Returns a function that runs histories with a fault: the recorded one first, and if it does not detect the fault, all others until one does. */
export function useMutants(): (mutant: Mutant) => Promise<Catch> {
  const file = `${cache}simulator-mutant-${process.pid}.mjs`
  let bundler: Bundler
  beforeAll(async () => {
    mkdirSync(cache, { recursive: true })
    bundler = await openBundler(file)
  })
  afterAll(async () => {
    await bundler.close()
    rmSync(file, { force: true })
  })
  return async ({ law: _, seed, about, ...fault }) => {
    await bundler.bundle(fault)
    const recorded = run(file, { first: seed, histories: 1, about })
    const histories = about !== undefined && isFeature(about) ? SCENARIO_HISTORIES : ALL_HISTORIES
    return recorded.isCaught ? recorded : run(file, { first: 1, histories, about })
  }
}

/** Runs histories until one detects the fault. */
function run(bundle: string, histories: Pick<WorkerRequest, 'first' | 'histories' | 'about'>): Catch {
  const { code, lines, out } = runBundle(bundle, { ...histories, whole: true })
  const isCaught = code === 1 && lines.some(({ failure }) => failure !== undefined)
  if (code !== 0 && !isCaught) throw new Error(`expected histories to run, got:\n${out.slice(-2000)}`)
  return { isCaught, out: out.slice(-2000) }
}
