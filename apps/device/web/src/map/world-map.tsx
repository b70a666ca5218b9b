import { useQuery, useSyncStatus } from '@godwit/react'
import { useEffect, useRef, useState } from 'react'
import { device } from '../device.js'
import { useIsOffline } from '../parts/network-switch.js'
import { useServerFailure } from '../parts/server-failure.js'
import type { CityRow } from '../rows.js'
import { dotMap, toX, toY } from './dots.js'
import { FrameMeter } from './frame-meter.js'

/** Rows per read: few enough to be drawn in one frame. */
const ROWS_PER_READ = 2_500
/** Milliseconds between two checks for new cities. */
const CHECK_INTERVAL = 120

interface Point {
  readonly x: number
  readonly y: number
  readonly size: number
}

/** The world, drawn from the cities on this device, as they arrive. */
export function WorldMap({ chosen }: { readonly chosen: CityRow | undefined }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [count, setCount] = useState<number>()

  useEffect(() => {
    if (canvas.current === null) return
    const map = dotMap(canvas.current)
    const ended = new AbortController()
    void drawArriving(map.draw, setCount, ended.signal)
    return () => {
      ended.abort()
      map.end()
    }
  }, [])

  return (
    <section className="map" aria-label="Map of the cities on this device">
      <div className="world">
        <canvas ref={canvas} />
        <Pins chosen={chosen} />
      </div>
      <p className="counter">
        <strong>{(count ?? 0).toLocaleString('en')}</strong> {count === 0 ? <AwaitedCities /> : 'cities on this device'}
        <ArrivalProgress />
      </p>
      <FrameMeter />
    </section>
  )
}

/** What the map waits for while it has no city. The server reads all cities from its backend before it sends the first. */
function AwaitedCities() {
  const { online } = useSyncStatus()
  const isOffline = useIsOffline()
  const isFailing = useServerFailure()
  if (isFailing) return 'cities: they come once the server works again'
  if (isOffline || online === false) return 'cities: they come once the server can be reached'
  return 'cities so far: the server is getting them ready'
}

/** Pins of the visited cities and the selected one. */
function Pins({ chosen }: { readonly chosen: CityRow | undefined }) {
  const { rows } = useQuery(device.models.Visit, { with: { city: true } })
  const visited = new Map(rows.flatMap(({ city }) => (city ? [[city.id, city] as const] : [])))
  if (chosen) visited.set(chosen.id, chosen)
  return [...visited.values()].map(({ id, longitude, latitude }) => (
    <span
      key={id}
      className="pin"
      data-chosen={id === chosen?.id}
      style={{ left: `${toX(longitude) * 100}%`, top: `${toY(latitude) * 100}%` }}
    />
  ))
}

/** The progress of the sync of cities. Its space is reserved, so that the layout does not change. */
function ArrivalProgress() {
  const { progress } = useSyncStatus()
  const share = progress === null || progress.total === 0 ? undefined : progress.received / progress.total
  return (
    <span className="arriving" data-shown={share !== undefined && share < 1}>
      <span className="share" style={{ transform: `scaleX(${share ?? 0})` }} />
    </span>
  )
}

async function drawArriving(
  draw: (points: readonly Point[]) => void,
  told: (count: number) => void,
  signal: AbortSignal,
): Promise<void> {
  // After a reload, progress starts at the number of cities already on the device.
  const here = device.models.City.count().catch(() => 0)
  let drawn = 0
  while (!signal.aborted) {
    const points = await device.sql
      .all<Point>('SELECT longitude AS x, latitude AS y, population AS size FROM City LIMIT ? OFFSET ?', [
        ROWS_PER_READ,
        drawn,
      ])
      .catch((): readonly Point[] => [])
    const before = await here
    if (signal.aborted) return
    if (points.length > 0) {
      draw(points)
      drawn += points.length
    }
    told(Math.max(before, drawn))
    const isBehind = points.length === ROWS_PER_READ
    await new Promise(resolve =>
      isBehind
        ? requestAnimationFrame(resolve)
        : setTimeout(resolve, drawn === 0 ? CHECK_INTERVAL : 4 * CHECK_INTERVAL),
    )
  }
}
