import { useSourceStatus, useSyncStatus } from '@godwit/react'
import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import { countryOf } from '../country.js'
import { City } from '../models.js'
import { useIsOffline } from '../parts/network-switch.js'
import { useServerFailure } from '../parts/server-failure.js'
import type { VisitSubject } from '../parts/visit-editor.js'
import type { CityRow } from '../rows.js'
import { cityAt } from './city-at.js'
import { dotMap } from './dots.js'
import { drawArriving } from './draw-arriving.js'
import { FrameMeter } from './frame-meter.js'
import { Pins, placeOf } from './pins.js'
import { toX, toY } from './projection.js'
import { redrawMoved } from './redraw-moved.js'
import { useMapView } from './use-map-view.js'
import { ZoomButtons } from './zoom-buttons.js'

/** Latitudes that have a line; meridians have one each 30 degrees too. */
const PARALLELS = [60, 30, 0, -30]

interface WorldMapProps {
  readonly chosen: CityRow | undefined
  /** The ids of visits that were removed and can still be brought back. */
  readonly hidden: ReadonlySet<unknown>
  readonly onOpen: (place: VisitSubject) => void
}

/** The world, drawn from the cities on this device, as they arrive. */
export function WorldMap({ chosen, hidden, onOpen }: WorldMapProps) {
  const pane = useRef<HTMLDivElement>(null)
  const world = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const dots = useRef<ReturnType<typeof dotMap>>(undefined)
  const [hovered, setHovered] = useState<CityRow>()
  const isSearching = useRef(false)
  const [count, setCount] = useState<number>()
  const { box, isZoomed, zoomBy, show, wasMoved } = useMapView(pane)

  useEffect(() => {
    if (canvas.current === null) return
    const map = dotMap(canvas.current)
    dots.current = map
    const ended = new AbortController()
    void drawArriving({ draw: map.draw, onCount: setCount, signal: ended.signal })
    return () => {
      ended.abort()
      map.end()
    }
  }, [])
  const hasAll = useSourceStatus(City).synced
  useEffect(() => {
    if (!hasAll) return
    const ended = new AbortController()
    redrawMoved({ replace: points => dots.current?.replace(points), signal: ended.signal })
    return () => ended.abort()
  }, [hasAll])
  const { left, top, width, height } = box ?? {}
  useEffect(() => {
    if (left !== undefined && top !== undefined && width !== undefined && height !== undefined)
      dots.current?.place({ left, top, width, height })
  }, [left, top, width, height])
  const latestShow = useRef(show)
  latestShow.current = show
  useEffect(() => {
    if (chosen) latestShow.current(toX(chosen.longitude), toY(chosen.latitude))
  }, [chosen])

  async function hover({ clientX, clientY, pointerType, buttons }: PointerEvent): Promise<void> {
    if (buttons > 0) setHovered(undefined)
    if (world.current === null || pointerType === 'touch' || buttons > 0 || isSearching.current) return
    isSearching.current = true
    setHovered(await cityAt(world.current, clientX, clientY).catch(() => undefined))
    isSearching.current = false
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
        ref={pane}
        className="pane"
        role="presentation"
        data-zoomed={isZoomed}
        onPointerMove={hover}
        onPointerLeave={() => setHovered(undefined)}
        // A click without a pointer, as of assistive technology, has no detail.
        onClickCapture={event => event.detail > 0 && wasMoved() && event.stopPropagation()}
        onClick={event => void open(event)}
      >
        <div ref={world} className="world" style={box ?? { visibility: 'hidden' }}>
          {PARALLELS.map(latitude => (
            <i key={latitude} className="parallel" style={{ top: `${toY(latitude) * 100}%` }} />
          ))}
        </div>
        <canvas ref={canvas} />
        <div className="world marks" style={box ?? { visibility: 'hidden' }}>
          {hovered && (
            <span className="city-tip" style={placeOf(hovered)}>
              {hovered.name}, {countryOf(hovered.country)}
            </span>
          )}
          <Pins chosen={chosen} hidden={hidden} onOpen={onOpen} />
        </div>
      </div>
      <ZoomButtons onZoom={zoomBy} />
      <div className="map-foot">
        <p className="counter">
          <strong>{(count ?? 0).toLocaleString('en')}</strong>{' '}
          {count === 0 ? <AwaitedCities /> : 'cities on this device'}
          <ArrivalProgress />
        </p>
        <FrameMeter />
      </div>
    </section>
  )
}

/** What the map waits for while it has no city. The server reads all cities from its backend before it sends the first. */
function AwaitedCities() {
  const { online } = useSyncStatus()
  const isOffline = useIsOffline()
  const isFailing = useServerFailure()
  if (isFailing) return 'cities: they will arrive once the server works again'
  if (isOffline || online === false) return 'cities: they will arrive once the server can be reached'
  return 'cities so far: the server is preparing them'
}

/** The progress of the sync of cities. Its space is reserved, so that the layout does not change. */
function ArrivalProgress() {
  const { progress } = useSyncStatus()
  const share = progress === null || progress.total === 0 ? undefined : progress.received / progress.total
  return (
    <span className="arriving" data-visible={share !== undefined && share < 1}>
      <span className="share" style={{ transform: `scaleX(${share ?? 0})` }} />
    </span>
  )
}
