import type { Box } from './map-view.js'
import { toX, toY } from './projection.js'

/** A city as the map draws it: longitude, latitude and population. */
export interface Dot {
  readonly x: number
  readonly y: number
  readonly size: number
}

/** Dots that a frame has time to draw, and to look at. */
const DRAWN_PER_FRAME = 8_000
const EXAMINED_PER_FRAME = 40_000
/** The width of the world, in pixels of the screen, at which a dot of a village is one pixel wide. */
const BASE_WIDTH = 1_400

/** Draws cities on a canvas and keeps them, so that the canvas can be drawn again at another size, zoom or color scheme. */
export function dotMap(canvas: HTMLCanvasElement) {
  const all: Dot[] = []
  const style = getComputedStyle(canvas)
  /** The position of the world to show, and the one that the canvas was drawn for. */
  let wanted: Box | undefined
  let drawn: Box | undefined
  let request = 0

  /** Draws dots until a frame has no more time. Returns the place of the next one. */
  function paint(context: CanvasRenderingContext2D, box: Box, points: readonly Dot[], from: number): number {
    const { width, height } = context.canvas
    const scale = devicePixelRatio
    const [left, top] = [box.left * scale, box.top * scale]
    const [worldWidth, worldHeight] = [box.width * scale, box.height * scale]
    // Dots grow more slowly than the world. Whole pixels: parts of one fade, and smear.
    const sideOf = (share: number): number => Math.max(1, Math.round(share * Math.sqrt(worldWidth / BASE_WIDTH)))
    const [small, middle, large] = [sideOf(1), sideOf(1.5), sideOf(2.6)]
    const [village = '', town = '', city = ''] = ['--dot-1', '--dot-2', '--dot-3'].map(name =>
      style.getPropertyValue(name),
    )
    const last = Math.min(points.length, from + EXAMINED_PER_FRAME)
    let color = ''
    let place = from
    for (let count = 0; place < last && count < DRAWN_PER_FRAME; place++) {
      const { x, y, size } = points[place] as Dot
      const [atX, atY] = [Math.round(left + toX(x) * worldWidth), Math.round(top + toY(y) * worldHeight)]
      if (atX < -large || atY < -large || atX > width || atY > height) continue
      const own = size > 500_000 ? city : size > 20_000 ? town : village
      // Browsers parse a color each time that it is set.
      if (own !== color) {
        color = own
        context.fillStyle = own
      }
      const side = size > 500_000 ? large : size > 20_000 ? middle : small
      context.fillRect(atX, atY, side, side)
      count++
    }
    return place
  }

  /** Draws everything for the wanted position on another canvas, frame by frame, and shows it when it is complete. */
  function redraw(): void {
    cancelAnimationFrame(request)
    if (wanted === undefined) return
    const box = wanted
    const { clientWidth, clientHeight } = canvas.parentElement ?? canvas
    const next = document.createElement('canvas')
    next.width = Math.round(clientWidth * devicePixelRatio)
    next.height = Math.round(clientHeight * devicePixelRatio)
    const context = next.getContext('2d')
    if (context === null) return
    continueFrom(0)

    function continueFrom(place: number): void {
      const end = paint(context as CanvasRenderingContext2D, box, all, place)
      if (end < all.length) request = requestAnimationFrame(() => continueFrom(end))
      else finish()
    }
    function finish(): void {
      canvas.width = next.width
      canvas.height = next.height
      // Its own size, so that it is not stretched when the pane changes, until it is drawn again.
      canvas.style.width = `${clientWidth}px`
      canvas.style.height = `${clientHeight}px`
      if (next.width > 0 && next.height > 0) canvas.getContext('2d')?.drawImage(next, 0, 0)
      drawn = box
      request = 0
      move()
      if (wanted !== box) request = requestAnimationFrame(redraw)
    }
  }

  /** Moves what is drawn to the wanted position until it is drawn again. */
  function move(): void {
    if (wanted === undefined || drawn === undefined) return
    const scale = wanted.width / drawn.width
    const [x, y] = [wanted.left - drawn.left * scale, wanted.top - drawn.top * scale]
    canvas.style.transform = wanted === drawn ? '' : `translate(${x}px, ${y}px) scale(${scale})`
    canvas.style.imageRendering = wanted === drawn ? '' : 'auto'
  }

  const dark = matchMedia('(prefers-color-scheme: dark)')
  dark.addEventListener('change', redraw)
  return {
    /** Adds dots to the map. */
    draw(points: readonly Dot[]) {
      for (const point of points) all.push(point)
      const context = canvas.getContext('2d')
      // A redraw that has begun draws them too.
      if (context && drawn) for (let place = 0; place < points.length; ) place = paint(context, drawn, points, place)
    },
    /** Draws other dots in place of all. */
    replace(points: readonly Dot[]) {
      all.splice(0, all.length)
      for (const point of points) all.push(point)
      redraw()
    },
    /** Shows the world at another position. */
    place(box: Box) {
      wanted = box
      move()
      // One that has begun goes on to its end, and then the latest position is drawn.
      if (request === 0 || drawn === undefined) redraw()
    },
    end() {
      cancelAnimationFrame(request)
      dark.removeEventListener('change', redraw)
    },
  }
}
