import { type Stats, type StatsQuery, SyncError } from '@godwit/protocol'
import type { AdminEngine } from '../admin-engine.js'
import { matches } from '../measure/glob.js'
import { countedKeys, isGauge } from '../measure/metric-keys.js'

type StatsEngine = Pick<AdminEngine, 'store' | 'sources' | 'statistics'>

/** Returns the sorted keys that match `names`, or the points of `metric` from index `start` to `finish`, including the current minute. */
export async function readStats(engine: StatsEngine, { names, metric, start, finish }: StatsQuery): Promise<Stats> {
  if ((names === undefined) === (metric === undefined)) {
    throw new SyncError(
      'body_invalid',
      `expected either names (a pattern of metric keys) or metric (a key), got ${names === undefined ? 'neither' : 'both'}.`,
    )
  }
  if (metric !== undefined) return readMetric(engine, metric, { start: start ?? 0, finish: finish ?? -1 })
  const keys = new Set([...countedKeys(engine.sources.all()), ...(await engine.store.series.keys())])
  return [...keys].filter(key => matches(names ?? '', key)).sort()
}

async function readMetric(
  { store, sources, statistics }: StatsEngine,
  metric: string,
  range: { readonly start: number; readonly finish: number },
): Promise<Stats> {
  await statistics.flush({ gauges: isGauge(metric) })
  const points = await store.series.read(metric, range)
  if (points) return points
  // A known metric without recorded values is empty.
  if (countedKeys(sources.all()).includes(metric)) return []
  throw new SyncError(
    'metric_not_found',
    `There is no metric ${JSON.stringify(metric)}. GET /rc/v1/system/stats?names=* lists them.`,
  )
}
