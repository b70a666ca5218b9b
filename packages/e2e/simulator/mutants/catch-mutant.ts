import { runHistories } from '../run-histories.js'
import { isFeature } from '../world/feature-scenarios.js'
import type { Mutant } from './mutant.js'

/** Number of histories tried for a fault, of all plans or one scenario; `pnpm test:deep` runs a part of them without a fault. */
const ALL_HISTORIES = 2400
/** Number of histories tried for a fault with a feature. */
const SCENARIO_HISTORIES = 100

/** Returns the first tested history that detects the fault: the recorded one, or the first that does. */
export function catchMutant({ law: _, seed, about, ...fault }: Mutant): {
  readonly isCaught: boolean
  readonly out: string
} {
  const noted = run(fault, seed, 1, about)
  const all = about !== undefined && isFeature(about) ? SCENARIO_HISTORIES : ALL_HISTORIES
  return noted.isCaught ? noted : run(fault, 1, all, about)
}

function run(fault: object, first: number, histories: number, about?: Mutant['about']) {
  const words = [
    '--mutant',
    JSON.stringify(fault),
    '--first',
    String(first),
    '--histories',
    String(histories),
    '--whole',
    ...(about === undefined ? [] : ['--about', about]),
  ]
  const { code, out } = runHistories(words)
  const isCaught = code === 1 && out.includes('✗ seed')
  if (code !== 0 && !isCaught) throw new Error(`expected histories to run, got:\n${out.slice(-2000)}`)
  return { isCaught, out: out.slice(-2000) }
}
