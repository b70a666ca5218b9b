import { type RefObject, useEffect, useRef, useState } from 'react'
import { followGestures } from './gestures.js'
import {
  type Box,
  FIRST_VIEW,
  type MapView,
  panBy,
  type Size,
  showing,
  withinWorld,
  worldBox,
  zoomAt,
} from './map-view.js'

/** The position of the map in its pane, and what changes it. */
export interface MapPosition {
  /** Undefined until the size of the pane is known. */
  readonly box: Box | undefined
  /** True while parts of the world are outside of the pane on purpose. */
  readonly isZoomed: boolean
  /** Zooms about the center. */
  zoomBy(factor: number): void
  /** Moves a point of the world, given as shares, into the pane. */
  show(x: number, y: number): void
  /** True if the pointer moved the map since it was pressed, so that its release is no click. */
  wasMoved(): boolean
}

/** Follows the size of a pane, and the wheel, drags and pinches on it. */
export function useMapView(pane: RefObject<HTMLElement | null>): MapPosition {
  const [size, setSize] = useState<Size>()
  const [view, setView] = useState<MapView>(FIRST_VIEW)
  const gestures = useRef<{ wasMoved(): boolean; end(): void }>(undefined)
  const change = (next: (view: MapView, size: Size) => MapView): void => {
    const { clientWidth: width = 0, clientHeight: height = 0 } = pane.current ?? {}
    if (width > 0 && height > 0) setView(now => next(withinWorld(now, { width, height }), { width, height }))
  }
  const latest = useRef(change)
  latest.current = change

  useEffect(() => {
    const element = pane.current
    if (element === null) return
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }))
    observer.observe(element)
    gestures.current = followGestures(element, {
      pan: by => latest.current((now, of) => panBy(now, of, by)),
      zoom: at => latest.current((now, of) => zoomAt(now, of, at)),
    })
    return () => {
      observer.disconnect()
      gestures.current?.end()
    }
  }, [pane])

  return {
    box: size && size.width > 0 && size.height > 0 ? worldBox(withinWorld(view, size), size) : undefined,
    isZoomed: view.zoom > 1.001,
    zoomBy: factor => change((now, of) => zoomAt(now, of, { x: of.width / 2, y: of.height / 2, factor })),
    show: (x, y) => change((now, of) => showing(now, of, { x, y })),
    wasMoved: () => gestures.current?.wasMoved() ?? false,
  }
}
