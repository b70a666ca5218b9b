import type { DeviceCounts } from '@godwit/model/testing'
import type { ProbeResult } from './prober.js'
import { NOTHING, type ServerCounts } from './server-counts.js'

/** What one thing that happened came to. */
export interface Phase {
  readonly name: string
  /** Until all devices had what changed, or listened again. */
  readonly seconds: number
  /** Pulls that the server answered, without those of the prober; of these the crowd's that hints began, and its others. */
  readonly pulls: number
  readonly hinted: number
  readonly polled: number
  /** Event streams that the server was asked for. */
  readonly streamRequests: number
  readonly queries: number
  /** Seconds of processor time of the server. */
  readonly cpu: number
  /** Code → failures of the crowd's requests. */
  readonly failures: { readonly [code: string]: number }
  /** What others noticed meanwhile. */
  readonly others: ProbeResult
}

interface PhaseCounts {
  readonly server: ServerCounts
  readonly crowd: DeviceCounts
}

export interface PhaseParts {
  readonly count: () => Promise<PhaseCounts>
  /** Seconds of processor time that the server of now took. */
  readonly cpu: () => number
  readonly beginProbes: () => Promise<unknown>
  readonly endProbes: () => Promise<ProbeResult>
}

/** Milliseconds in which what is not needed would still come. */
const AFTERWARDS = 3000

/** Does something, waits until it has reached everybody, and counts. `begun`: what is done before others are looked at. */
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
  // A restarted server counts from 0.
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
