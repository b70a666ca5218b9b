import { device } from '../device.js'
import type { Dot } from './dots.js'

/** Rows per read: few enough to be drawn in one frame. */
const ROWS_PER_READ = 2_500
/** Milliseconds between two checks for new cities. */
const CHECK_INTERVAL = 120

interface Arrival {
  readonly draw: (dots: readonly Dot[]) => void
  /** Called with the number of cities on the device, as far as it is known. */
  readonly onCount: (count: number) => void
  readonly signal: AbortSignal
}

/** Draws the cities on this device, and those that arrive, until aborted. */
export async function drawArriving({ draw, onCount, signal }: Arrival): Promise<void> {
  // After a reload, progress starts at the number of cities already on the device.
  const here = device.models.City.count().catch(() => 0)
  let drawn = 0
  while (!signal.aborted) {
    const dots = await device.sql
      .all<Dot>('SELECT longitude AS x, latitude AS y, population AS size FROM City LIMIT ? OFFSET ?', [
        ROWS_PER_READ,
        drawn,
      ])
      .catch((): readonly Dot[] => [])
    const before = await here
    if (signal.aborted) return
    if (dots.length > 0) {
      draw(dots)
      drawn += dots.length
    }
    onCount(Math.max(before, drawn))
    const isBehind = dots.length === ROWS_PER_READ
    await new Promise(resolve =>
      isBehind
        ? requestAnimationFrame(resolve)
        : setTimeout(resolve, drawn === 0 ? CHECK_INTERVAL : 4 * CHECK_INTERVAL),
    )
  }
}
