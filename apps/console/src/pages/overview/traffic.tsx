import type { StatsBucket } from '@godwit/admin-client'
import { isSyncError } from '@godwit/admin-client'
import { type ReactNode, useMemo } from 'react'
import { admin } from '../../api.js'
import { Chart } from '../../parts/chart.js'
import { QueryContent } from '../../parts/states.js'
import { useQuery } from '../../use-query.js'
import { seriesOf } from './series.js'

export const RANGES = [
  ['1h', '1 hour'],
  ['24h', '24 hours'],
  ['7d', '7 days'],
  ['30d', '30 days'],
] as const

const MINUTES: { readonly [range: string]: number } = { '1h': 60, '24h': 1440, '7d': 10_080, '30d': 43_200 }
const POINTS = 240
const MAX_AGE = 15_000

/** A chart of pulls and pushes per second. */
export function Traffic({ range }: { readonly range: string }): ReactNode {
  const minutes = MINUTES[range] ?? 60
  const query = useQuery(
    `traffic ${minutes}`,
    async options => {
      const read = (metric: string) => bucketsOf(metric, { start: -minutes, ...options })
      const [pulls, pullsByBody, pushes] = await Promise.all([
        read('http:GET:/app/v1/<source_name>'),
        read('http:POST:/app/v1/<source_name>/pull'),
        read('http:POST:/app/v1/<source_name>'),
      ])
      return seriesOf(
        { pulls: [...pulls, ...pullsByBody], pushes },
        { minutes, now: Date.now() / 1000, points: POINTS },
      )
    },
    { every: MAX_AGE },
  )
  return (
    <QueryContent query={query} what="the traffic">
      {series => <Curves series={series} />}
    </QueryContent>
  )
}

function Curves({ series: { times, pulls, pushes } }: { readonly series: ReturnType<typeof seriesOf> }): ReactNode {
  const curves = useMemo(() => [pulls, pushes], [pulls, pushes])
  return (
    <>
      <Chart times={times} curves={curves} names={['Pulls per second', 'Pushes per second']} />
      <p className="legend">
        <span>Pulls per second</span>
        <span>Pushes per second</span>
      </p>
    </>
  )
}

/** Returns the buckets of a route; empty if it was never called. */
async function bucketsOf(
  metric: string,
  range: { readonly start: number; readonly signal: AbortSignal },
): Promise<readonly StatsBucket[]> {
  try {
    return (await admin.system.stats.read(metric, range)) as readonly StatsBucket[]
  } catch (error) {
    if (isSyncError(error) && error.code === 'metric_not_found') return []
    throw error
  }
}
