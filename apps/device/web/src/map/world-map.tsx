import { useQuery, useSyncStatus } from '@godwit/react'
import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { countryOf } from '../country.js'
import { device } from '../device.js'
import { useIsOffline } from '../parts/network-switch.js'
import { useServerFailure } from '../parts/server-failure.js'
import type { VisitSubject } from '../parts/visit-editor.js'
import type { CityRow } from '../rows.js'
import { cityAt } from './city-at.js'
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

interface WorldMapProps {
  readonly chosen: CityRow | undefined
  /** The ids of visits that were removed and can still be brought back. */
  readonly hidden: ReadonlySet<unknown>
  readonly onOpen: (place: VisitSubject) => void
}

const placeOf = ({ longitude, latitude }: CityRow) => ({
  left: `${toX(longitude) * 100}%`,
  top: `${toY(latitude) * 100}%`,
})

/** The world, drawn from the cities on this device, as they arrive. */
export function WorldMap({ chosen, hidden, onOpen }: WorldMapProps) {
  const world = useRef<HTMLDivElement>(null)
  const [hovered, setHovered] = useState<CityRow>()
  const isLooking = useRef(false)
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

  async function hover({ clientX, clientY, pointerType }: PointerEvent): Promise<void> {
    if (world.current === null || pointerType === 'touch' || isLooking.current) return
    isLooking.current = true
    setHovered(await cityAt(world.current, clientX, clientY).catch(() => undefined))
    isLooking.current = false
  }
  async function open({ clientX, clientY }: MouseEvent): Promise<void> {
    if (world.current === null) return
    const city = await cityAt(world.current, clientX, clientY).catch(() => undefined)
    if (city) onOpen({ city })
  }

  return (
    <section className="map" aria-label="Map of the cities on this device">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: with keys, the search field finds cities and the list has the visits */}
      <div
        ref={world}
        className="world"
        role="presentation"
        onPointerMove={hover}
        onPointerLeave={() => setHovered(undefined)}
        onClick={event => void open(event)}
      >
        <canvas ref={canvas} />
        {hovered && (
          <span className="city-tip" style={placeOf(hovered)}>
            {hovered.name}, {countryOf(hovered.country)}
          </span>
        )}
        <Pins chosen={chosen} hidden={hidden} onOpen={onOpen} />
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

/** Pins of the visited cities, which open the latest visit, and of the selected one. The list has the same visits for keys. */
function Pins({ chosen, hidden, onOpen }: WorldMapProps) {
  const { rows } = useQuery(device.models.Visit, { with: { city: true }, order: { visitedAt: 'asc' } })
  const visits = new Map(
    rows.flatMap(visit => (visit.city && !hidden.has(visit.id) ? [[visit.city.id, visit] as const] : [])),
  )
  return (
    <>
      {[...visits.values()].map(
        visit =>
          visit.city && (
            <button
              key={visit.city.id}
              type="button"
              tabIndex={-1}
              className="pin"
              aria-label={`Open the visit to ${visit.city.name}`}
              title={visit.city.name}
              data-chosen={visit.city.id === chosen?.id}
              style={placeOf(visit.city)}
              onClick={event => {
                event.stopPropagation()
                onOpen({ city: visit.city, visit })
              }}
            />
          ),
      )}
      {chosen && !visits.has(chosen.id) && <span className="pin" data-chosen="true" style={placeOf(chosen)} />}
    </>
  )
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
