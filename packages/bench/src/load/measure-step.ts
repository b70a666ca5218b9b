import { percentile } from '../measure.js'
import type { Stage } from './stage.js'
import { sum, sumTallies, type Tally } from './tally.js'
import { cpuOf, shareOf } from './usage.js'

/** The cost and duration of a step. Processor times are in milliseconds per device. */
export interface MeasuredStep {
  readonly name: string
  /** Number of repetitions. */
  readonly count: number
  readonly requests: number
  readonly rows: number
  /** Elapsed time from beginning to end. */
  readonly seconds: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Total of all server processes. */
  readonly serverCpu: number
  readonly redisCpu: number
  readonly loadCpu: number
  /** Share of the machine's processors, 0 to 1. */
  readonly loadShare: number
  readonly serverShare: number
  readonly failed: number
  readonly errors: readonly string[]
}

/** Measures a step; each `run` is one turn of all devices. */
export async function measureStep(
  stage: Stage,
  name: string,
  runs: readonly (() => Promise<Tally>)[],
): Promise<MeasuredStep> {
  const before = await cpuOf(stage)
  const tallies: Tally[] = []
  for (const run of runs) tallies.push(await run())
  const after = await cpuOf(stage)
  const tally = sumTallies(tallies)
  const times = tally.times.toSorted((a, b) => a - b)
  const seconds = after.at - before.at
  const servers = sum(after.servers) - sum(before.servers)
  const load = after.load - before.load + tally.cpu
  const each = (total: number): number => (total * 1000) / times.length
  return {
    name,
    count: times.length,
    requests: tally.requests,
    rows: tally.rows,
    seconds,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    serverCpu: each(servers),
    redisCpu: each(after.redis - before.redis),
    loadCpu: each(load),
    loadShare: shareOf(load, seconds),
    serverShare: shareOf(servers, seconds),
    failed: tally.failed,
    errors: tally.errors,
  }
}
