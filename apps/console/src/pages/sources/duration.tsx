import { isSyncError, type StatsBucket } from '@godwit/admin-client'
import type { ReactNode } from 'react'
import { admin } from '../../api.js'
import { seconds } from '../../parts/format.js'
import { useQuery } from '../../use-query.js'

/** How long the backend took for the queries of the last minute in which one ran. */
export function Duration({ source }: { readonly source: string }): ReactNode {
  const { data, error } = useQuery(`duration ${source}`, options => lastOf(source, options.signal))
  if (error !== undefined) return <span className="soft">not known</span>
  if (data === undefined) return <span className="soft">…</span>
  if (data === null) return <span className="soft">none ran in 31 days</span>
  return (
    <span className="number">
      {seconds(data.sum / Math.max(1, data.count))}
      {data.count > 1 && <span className="soft"> on average of {data.count}</span>}
    </span>
  )
}

async function lastOf(source: string, signal: AbortSignal): Promise<StatsBucket | null> {
  try {
    const buckets = await admin.system.stats.read(`source:query:${source}`, { start: -1, finish: -1, signal })
    return (buckets.at(-1) as StatsBucket | undefined) ?? null
  } catch (error) {
    if (isSyncError(error) && error.code === 'metric_not_found') return null
    throw error
  }
}
