import { liveHeap } from './live-heap.js'

/** Readings that a slope is taken over, and after which a heap that still grows is a leak: the first calls of a kind are compiled and cached. */
const WINDOW = 10
/** Readings that are enough where the heap hardly moves. */
const FEWEST = 6
const MAX_GROWTH = 80

/**
 * Bytes by which each call lets the live heap grow once it is warm: calls are repeated until the last readings rise by no more than `flat` each, or a
 * leak is plain. A slope over many readings, since one reading is off by what happens to be under way.
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

/** The median of the slopes between any two readings: a jump, as of code that is compiled late, does not move it. */
function slope(readings: readonly number[]): number {
  const slopes = readings.flatMap((from, at) =>
    readings.slice(at + 1).map((to, further) => (to - from) / (further + 1)),
  )
  slopes.sort((one, other) => one - other)
  return slopes[Math.floor(slopes.length / 2)] ?? 0
}
