import type { DeviceCounts } from '@godwit/model/testing'
import type { ProbeResult } from './prober.js'
import { NOTHING, type ServerCounts } from './server-counts.js'

/** The measurements of one phase. */
export interface Phase {
  readonly name: string
  /** Seconds until all devices had received the change or listened again. */
  readonly seconds: number
  /** Pulls at the server without the prober's; `hinted` are those that devices made after a hint, `polled` their others. */
  readonly pulls: number
  readonly hinted: number
  readonly polled: number
  /** Number of requested event streams. */
  readonly streamRequests: number
  readonly queries: number
  /** Processor time of the server in seconds. */
  readonly cpu: number
  /** Failures of the devices' requests: error code → count. */
  readonly failures: { readonly [code: string]: number }
  /** The prober's measurements during the phase. */
  readonly others: ProbeResult
}

interface PhaseCounts {
  readonly server: ServerCounts
  readonly crowd: DeviceCounts
}

export interface PhaseParts {
  readonly count: () => Promise<PhaseCounts>
  /** Returns the processor time of the current server in seconds. */
  readonly cpu: () => number
  readonly beginProbes: () => Promise<unknown>
  readonly endProbes: () => Promise<ProbeResult>
}

/** Milliseconds to wait for unnecessary requests after a phase. */
const AFTERWARDS = 3000

/** Runs `act`, waits until `reached` is true, and returns the counts. `begun` runs before the prober starts, such as a restart. */
export async function runPhase(
  { count, cpu, beginProbes, endProbes }: PhaseParts,
  name: string,
  { begun, act, reached }: { begun?: () => Promise<void>; act: () => Promise<void>; reached: () => Promise<boolean> },
): Promise<Phase> {
  const before = { ...(await count()), cpu: cpu() }
  await begun?.()
  await beginProbes()
  const began = performance.now()
  await act()
  while (!(await reached())) await pause(200)
  const seconds = Math.round((performance.now() - began) / 100) / 10
  await pause(AFTERWARDS)
  const others = await endProbes()
  const after = { ...(await count()), cpu: cpu() }
  // The counters of a restarted server begin at 0.
  const server = begun ? NOTHING : before.server
  const codes = new Set([...Object.keys(before.crowd.failures), ...Object.keys(after.crowd.failures)])
  const failures = [...codes].flatMap(code => {
    const more = (after.crowd.failures[code] ?? 0) - (before.crowd.failures[code] ?? 0)
    return more === 0 ? [] : [[code, more] as const]
  })
  return {
    name,
    seconds,
    pulls: after.server.pulls - server.pulls - others.pulls,
    hinted: after.crowd.hinted - before.crowd.hinted,
    polled: after.crowd.pulls - before.crowd.pulls,
    streamRequests: after.server.streamRequests - server.streamRequests,
    queries: after.server.queries - server.queries,
    cpu: Math.round((after.cpu - (begun ? 0 : before.cpu)) * 10) / 10,
    failures: Object.fromEntries(failures),
    others,
  }
}

export const pause = (milliseconds: number): Promise<void> => new Promise(resolve => setTimeout(resolve, milliseconds))
