import { liveHeap } from './live-heap.js'

/** Number of readings of one slope, and the limit of readings after which growth is a leak. The first calls include compilation and caching. */
const WINDOW = 10
/** Number of readings that suffice if the heap hardly changes. */
const FEWEST = 6
const MAX_GROWTH = 80

/**
 * Returns the bytes that each call adds to the live heap after a warm-up: repeats calls until the slope is at most `flat` bytes per call, or
 * `most` readings are reached. The slope spans many readings, because a single one depends on concurrent work.
 */
export async function growthOf(
  call: (time: number) => Promise<unknown>,
  {
    times,
    flat,
    most = MAX_GROWTH,
  }: { readonly times: number; readonly flat: number; readonly most?: number | undefined },
): Promise<number> {
  const readings: number[] = []
  let growth = Number.POSITIVE_INFINITY
  for (let time = 0; growth > flat && readings.length < most; ) {
    for (let n = 0; n < times; n++) await call(time++)
    readings.push(await liveHeap())
    if (readings.length < FEWEST) continue
    const now = slope(readings.slice(-WINDOW)) / times
    if (readings.length >= WINDOW || Math.abs(now) < flat / 3) growth = now
  }
  return Math.round(growth)
}

/** Returns the median slope of all pairs of readings, which a single jump, such as late compilation, does not change. */
function slope(readings: readonly number[]): number {
  const slopes = readings.flatMap((from, at) =>
    readings.slice(at + 1).map((to, further) => (to - from) / (further + 1)),
  )
  slopes.sort((one, other) => one - other)
  return slopes[Math.floor(slopes.length / 2)] ?? 0
}
