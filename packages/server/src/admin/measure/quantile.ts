import type { Histogram } from 'prom-client'

/** Returns the duration in seconds within which the given share of requests finished, interpolated linearly within a bucket. */
export function quantile(counts: Iterable<number>, bounds: readonly number[], share: number): number {
  const all = [...counts]
  const wanted = all.reduce((sum, count) => sum + count, 0) * share
  let below = 0
  for (const [place, count] of all.entries()) {
    if (count > 0 && below + count >= wanted) {
      const from = bounds[place - 1] ?? 0
      const to = bounds[place] ?? from
      return from + (to - from) * Math.max(0, (wanted - below) / count)
    }
    below += count
  }
  return 0
}

/** Returns the number of requests per bucket, by route. */
export async function requestCounts(
  requests: Histogram<'route'>,
): Promise<readonly (readonly [route: string, counts: readonly number[]])[]> {
  const { values } = await requests.get()
  const buckets = Map.groupBy(
    values.filter(({ labels }) => 'le' in labels),
    ({ labels }) => String(labels.route),
  )
  // The library's buckets are cumulative.
  return [...buckets].map(([route, ends]) => [
    route,
    ends.map(({ value }, place) => value - (ends[place - 1]?.value ?? 0)),
  ])
}
