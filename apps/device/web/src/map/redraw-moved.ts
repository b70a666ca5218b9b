import { device } from '../device.js'
import type { Dot } from './dots.js'

/** Rows per read: few enough to be taken over within a frame. */
const ROWS_PER_READ = 20_000

/** A number that changes if a city moves, grows or goes. */
interface Fingerprint {
  readonly count: number
  readonly sum: number
}

interface Moves {
  readonly replace: (dots: readonly Dot[]) => void
  readonly signal: AbortSignal
}

/** Draws all cities again whenever one of those on this device has moved or is gone, until aborted. New ones are drawn as they arrive. */
export function redrawMoved({ replace, signal }: Moves): void {
  let known: Fingerprint | undefined
  let reading = Promise.resolve()
  const stop = device.sql.observe<Fingerprint>(
    'SELECT count(*) AS count, total(latitude * 7 + longitude + population * 0.001) AS sum FROM City',
    [],
    ([found]) => {
      const before = known
      known = found
      // The first reading draws again too: a city may have moved between its drawing and this.
      if (found === undefined || (before && (found.count > before.count || found.sum === before.sum))) return
      reading = reading.then(async () => {
        const dots = signal.aborted || known !== found ? undefined : await allDots().catch(() => undefined)
        if (dots !== undefined && !signal.aborted) replace(dots)
      })
    },
  )
  signal.addEventListener('abort', stop, { once: true })
}

async function allDots(): Promise<readonly Dot[]> {
  const dots: Dot[] = []
  for (let part: readonly Dot[] | undefined; part === undefined || part.length === ROWS_PER_READ; dots.push(...part))
    part = await device.sql.all<Dot>(
      'SELECT longitude AS x, latitude AS y, population AS size FROM City LIMIT ? OFFSET ?',
      [ROWS_PER_READ, dots.length],
    )
  return dots
}
