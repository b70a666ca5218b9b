/** The share of the map's width at which a longitude stands. */
export const toX = (longitude: number): number => (longitude + 180) / 360

const NORTH = 80
const SOUTH = -58
/** The share of the map's height at which a latitude stands: from 80° north to 58° south, where people live. */
export const toY = (latitude: number): number => (NORTH - latitude) / (NORTH - SOUTH)

/** The longitude and latitude at a share of the map's width and height. */
export const toPlace = (x: number, y: number) => ({ longitude: x * 360 - 180, latitude: NORTH - y * (NORTH - SOUTH) })

interface Point {
  readonly x: number
  readonly y: number
  readonly size: number
}

/** Dots that a frame has time for. */
const DOTS_PER_FRAME = 8_000

/** Draws cities on a canvas and keeps them, so that another size draws them again. */
export function dotMap(canvas: HTMLCanvasElement) {
  const context = canvas.getContext('2d')
  const all: Point[] = []
  const style = getComputedStyle(canvas)
  let request = 0

  function paint(on: CanvasRenderingContext2D | null, points: readonly Point[]): void {
    if (on === null) return
    const { width, height } = on.canvas
    // Whole pixels: parts of one fade, and smear.
    const sideOf = (share: number): number => Math.max(1, Math.round((share * width) / 1_400))
    const [small, middle, large] = [sideOf(1), sideOf(1.5), sideOf(2.6)]
    const [village = '', town = '', city = ''] = ['--dot-1', '--dot-2', '--dot-3'].map(name =>
      style.getPropertyValue(name),
    )
    for (const { x, y, size } of points) {
      on.fillStyle = size > 500_000 ? city : size > 20_000 ? town : village
      const side = size > 500_000 ? large : size > 20_000 ? middle : small
      on.fillRect(Math.round(toX(x) * width), Math.round(toY(y) * height), side, side)
    }
  }
  function fit(): void {
    const { clientWidth, clientHeight } = canvas
    const next = document.createElement('canvas')
    next.width = Math.round(clientWidth * devicePixelRatio)
    next.height = Math.round(clientHeight * devicePixelRatio)
    cancelAnimationFrame(request)
    // Made smaller in whole pixels, the map before would lose dots.
    canvas.style.imageRendering = 'auto'
    paintFrom(0, next)
  }
  /** From one on, as many as a frame has time for, then the next ones; the map before is shown until all are drawn. */
  function paintFrom(from: number, next: HTMLCanvasElement): void {
    paint(next.getContext('2d'), all.slice(from, from + DOTS_PER_FRAME))
    if (from + DOTS_PER_FRAME < all.length) {
      request = requestAnimationFrame(() => paintFrom(from + DOTS_PER_FRAME, next))
      return
    }
    canvas.width = next.width
    canvas.height = next.height
    canvas.style.imageRendering = ''
    if (next.width > 0 && next.height > 0) context?.drawImage(next, 0, 0)
  }

  const observer = new ResizeObserver(fit)
  observer.observe(canvas)
  const dark = matchMedia('(prefers-color-scheme: dark)')
  dark.addEventListener('change', fit)
  return {
    draw(points: readonly Point[]) {
      for (const point of points) all.push(point)
      paint(context, points)
    },
    end() {
      observer.disconnect()
      cancelAnimationFrame(request)
      dark.removeEventListener('change', fit)
    },
  }
}
