import type { StreamsReport } from './run-streams.js'

interface StreamLimits {
  readonly streams: number
  /** Limit of the 99th percentile of other requests in milliseconds; undefined: not checked. */
  readonly longest: number | undefined
}

/** Names of phases without a change that devices lack. */
const NOTHING_NEW: ReadonlySet<string> = new Set(['nothing', "a user's write", 'a restart', 'a crash'])
/** Names of phases with one change that all devices lack. */
const ONE_CHANGE: ReadonlySet<string> = new Set(['a shared change', 'a restart with a change'])

/** Returns one sentence for each violated expectation. */
export function missesOf(
  { phases }: Pick<StreamsReport, 'phases'>,
  { streams, longest }: StreamLimits,
): readonly string[] {
  return phases.flatMap(({ name, hinted, others }) => {
    const most = NOTHING_NEW.has(name) ? 0 : ONE_CHANGE.has(name) ? streams : undefined
    return [
      ...(most !== undefined && hinted > most
        ? [`${name}: expected at most ${most} pulls after events, got ${hinted}`]
        : []),
      ...(longest !== undefined && others.p99 > longest
        ? [`${name}: expected a p99 of others of at most ${longest} ms, got ${others.p99}`]
        : []),
      ...others.failed.map(failure => `${name}: a request of others failed: ${failure}`),
    ]
  })
}
