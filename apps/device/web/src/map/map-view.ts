import { ASPECT, toX } from './projection.js'

/** A length on the page, in pixels. */
export interface Size {
  readonly width: number
  readonly height: number
}

/** The position of the world in its pane, in pixels. */
export interface Box extends Size {
  readonly left: number
  readonly top: number
}

/** The part of the world that a pane shows. */
export interface MapView {
  /** 1: the world just covers the pane. */
  readonly zoom: number
  /** The shares of the world's width and height at the center of the pane. */
  readonly x: number
  readonly y: number
}

interface Point {
  readonly x: number
  readonly y: number
}

/** Shows the longitudes from Mexico to Japan in a pane on a desktop, and all of them on a phone. */
export const FIRST_VIEW: MapView = { zoom: 1, x: toX(17), y: 0.5 }
const MAX_ZOOM = 60

const coverWidth = ({ width, height }: Size): number => Math.max(width, height * ASPECT)
const wholeWidth = ({ width, height }: Size): number => Math.min(width, height * ASPECT)
const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value))

/** Returns the position of the world in a pane of this size. */
export function worldBox({ zoom, x, y }: MapView, size: Size): Box {
  const width = coverWidth(size) * zoom
  const height = width / ASPECT
  return { left: size.width / 2 - x * width, top: size.height / 2 - y * height, width, height }
}

/** Returns the view with at most the whole world in the pane, and without an empty side that the world could fill. */
export function withinWorld(view: MapView, size: Size): MapView {
  const zoom = clamp(view.zoom, wholeWidth(size) / coverWidth(size), MAX_ZOOM)
  const { width, height } = worldBox({ ...view, zoom }, size)
  const center = (share: number, pane: number, world: number): number =>
    world <= pane ? 0.5 : clamp(share, pane / world / 2, 1 - pane / world / 2)
  return { zoom, x: center(view.x, size.width, width), y: center(view.y, size.height, height) }
}

/** Returns the view at another zoom, in which the world keeps its place under a point of the pane. */
export function zoomAt(view: MapView, size: Size, { x, y, factor }: Point & { readonly factor: number }): MapView {
  const { zoom } = withinWorld({ ...view, zoom: view.zoom * factor }, size)
  const before = worldBox(view, size)
  const after = worldBox({ ...view, zoom }, size)
  const centerOf = (at: number, start: number, length: number, pane: number, next: number): number =>
    (at - start) / length + (pane / 2 - at) / next
  return withinWorld(
    {
      zoom,
      x: centerOf(x, before.left, before.width, size.width, after.width),
      y: centerOf(y, before.top, before.height, size.height, after.height),
    },
    size,
  )
}

/** Returns the view with the world moved by pixels. */
export function panBy(view: MapView, size: Size, { x, y }: Point): MapView {
  const { width, height } = worldBox(view, size)
  return withinWorld({ ...view, x: view.x - x / width, y: view.y - y / height }, size)
}

/** Returns a view that shows a point of the world, given as shares: the same view if the point is in the pane already. */
export function showing(view: MapView, size: Size, { x, y }: Point): MapView {
  const { left, top, width, height } = worldBox(view, size)
  const isIn = (at: number, pane: number): boolean => at >= 0 && at <= pane
  if (isIn(left + x * width, size.width) && isIn(top + y * height, size.height)) return view
  return withinWorld({ ...view, x, y }, size)
}
