import type { AdminClient, StatsBucket, StatsLevel } from '@godwit/admin-client'
import { command, UsageError } from './command.js'
import { wholeNumberOption } from './numbers.js'
import { formatTable } from './view/columns.js'
import { seconds, sparkline } from './view/format.js'

type StatsPoint = StatsBucket | StatsLevel

interface Metric {
  readonly metric: string
  /** The points of the requested minutes; minutes without activity have none. */
  readonly points: readonly StatsPoint[]
}

const MAX_MINUTES = 31 * 24 * 60
/** The most bars per line. */
const WIDTH = 30
const CONCURRENCY = 8

export const stats = command({
  summary: 'shows call counts and durations of routes and sources, and the numbers of users and clients',
  parameters: '[PATTERN]',
  options: { minutes: { takes: 'N', says: 'length of the period until now; default 60, at most 31 days' } },
  details: [
    'PATTERN selects metric keys, with * for any text; default *. Keys are http:METHOD:PATH, source:OPERATION:SOURCE, users and clients.',
    'The bars show calls, or a level, over the period. Metrics without calls are omitted; --json includes them, without points.',
  ].join('\n'),
  examples: ['godwit stats', "godwit stats 'source:*:Visit' --minutes 1440", "godwit stats 'http:*' --json"],
  async run({ words: [pattern = '*'], options, admin, host, print }) {
    const { minutes = 60 } = wholeNumberOption('--minutes', options.minutes, 'minutes')
    if (minutes < 1 || minutes > MAX_MINUTES)
      throw new UsageError(`--minutes: expected 1 to ${MAX_MINUTES}, got ${minutes}.`)
    const client = await admin()
    const since = (Math.floor(Date.now() / 60_000) - minutes + 1) * 60
    const metrics = await readAll(client, await client.system.stats.names(pattern), { minutes, since })
    print(metrics, all => {
      const rows = all.filter(({ points }) => points.length > 0).map(metric => rowOf(metric, { minutes, since }))
      return formatTable(rows, ['metric', 'count', 'mean', 'max', 'now', 'bars'], host.stdout)
    })
  },
})

interface Window {
  readonly minutes: number
  /** The start of the first minute, in Unix seconds. */
  readonly since: number
}

async function readAll(
  { system }: AdminClient,
  names: readonly string[],
  { minutes, since }: Window,
): Promise<readonly Metric[]> {
  const metrics: Metric[] = []
  for (let from = 0; from < names.length; from += CONCURRENCY) {
    const some = names.slice(from, from + CONCURRENCY).map(async metric => {
      const points = await system.stats.read(metric, { start: -minutes })
      return { metric, points: points.filter(({ time }) => time >= since) }
    })
    metrics.push(...(await Promise.all(some)))
  }
  return metrics
}

const isLevel = (point: StatsPoint): point is StatsLevel => 'value' in point

function rowOf({ metric, points }: Metric, window: Window) {
  const buckets = points.filter((point): point is StatsBucket => !isLevel(point))
  const level = points.filter(isLevel).at(-1)?.value
  const count = buckets.reduce((sum, bucket) => sum + bucket.count, 0)
  const sum = buckets.reduce((total, bucket) => total + bucket.sum, 0)
  return {
    metric,
    bars: sparkline(barsOf(points, window)),
    ...(level === undefined && {
      count,
      ...(count > 0 && { mean: seconds(sum / count), max: seconds(Math.max(...buckets.map(({ max }) => max))) }),
    }),
    ...(level !== undefined && { now: level }),
  }
}

/** Adds up counts within a bar; a level keeps its last value until the next. */
function barsOf(points: readonly StatsPoint[], { minutes, since }: Window): readonly number[] {
  const width = Math.min(WIDTH, minutes)
  const bars = new Array<number>(width).fill(0)
  for (const point of points) {
    const at = Math.min(width - 1, Math.floor(((point.time - since) / 60 / minutes) * width))
    if (isLevel(point)) bars.fill(point.value, at)
    else bars[at] = (bars[at] ?? 0) + point.count
  }
  return bars
}
