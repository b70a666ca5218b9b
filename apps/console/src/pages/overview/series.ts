import type { StatsBucket } from '@godwit/admin-client'

/** Chart curves over common times. */
export interface ChartSeries {
  /** Unix seconds. */
  readonly times: readonly number[]
  readonly pulls: readonly number[]
  readonly pushes: readonly number[]
}

const MINUTE = 60

/** Requests per second, in equal steps up to now; minutes without activity count as zero. */
export function seriesOf(
  { pulls, pushes }: { readonly pulls: readonly StatsBucket[]; readonly pushes: readonly StatsBucket[] },
  { minutes, now, points }: { readonly minutes: number; readonly now: number; readonly points: number },
): ChartSeries {
  const step = Math.max(1, Math.ceil(minutes / points)) * MINUTE
  const end = Math.floor(now / step) * step
  const count = Math.ceil((minutes * MINUTE) / step)
  const times = Array.from({ length: count + 1 }, (_, place) => end - (count - place) * step)
  const rates = (buckets: readonly StatsBucket[]): readonly number[] => {
    const sums = new Array<number>(times.length).fill(0)
    for (const { time, count } of buckets) {
      const place = Math.floor((time - (times[0] as number)) / step)
      if (place >= 0 && place < sums.length) sums[place] = (sums[place] as number) + count
    }
    return sums.map(sum => sum / step)
  }
  return { times, pulls: rates(pulls), pushes: rates(pushes) }
}
