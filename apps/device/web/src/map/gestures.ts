interface Point {
  readonly x: number
  readonly y: number
}

/** What the gestures on a pane do, in pixels of the pane. */
export interface GestureHandlers {
  readonly pan: (by: Point) => void
  readonly zoom: (at: Point & { readonly factor: number }) => void
}

/** Pixels that a pressed pointer may move and still click. */
const CLICK_RANGE = 5
/** How much a pixel of the wheel zooms; a pinch on a touchpad arrives as a wheel with Ctrl and fewer pixels. */
const WHEEL_RATE = 0.0015
const TOUCHPAD_RATE = 0.01
const PIXELS_PER_LINE = 16

const middleOf = ([one, other = one]: readonly Point[]): Point => ({
  x: ((one?.x ?? 0) + (other?.x ?? 0)) / 2,
  y: ((one?.y ?? 0) + (other?.y ?? 0)) / 2,
})
const distanceOf = ([one, other]: readonly Point[]): number =>
  one && other ? Math.max(1, Math.hypot(one.x - other.x, one.y - other.y)) : 1

/** Turns the wheel, drags and pinches on a pane into pans and zooms, until ended. */
export function followGestures(pane: HTMLElement, { pan, zoom }: GestureHandlers) {
  const pointers = new Map<number, Point>()
  const ended = new AbortController()
  const { signal } = ended
  let pressed: Point = { x: 0, y: 0 }
  let isMoved = false

  const pointOf = ({ clientX, clientY }: MouseEvent): Point => {
    const { left, top } = pane.getBoundingClientRect()
    return { x: clientX - left, y: clientY - top }
  }

  function wheel(event: WheelEvent): void {
    const isPinch = event.ctrlKey || event.metaKey
    // Where the page scrolls, the wheel over the map goes on to scroll it.
    if (!isPinch && document.documentElement.scrollHeight > innerHeight) return
    event.preventDefault()
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * PIXELS_PER_LINE : event.deltaY
    zoom({ ...pointOf(event), factor: Math.exp(-pixels * (isPinch ? TOUCHPAD_RATE : WHEEL_RATE)) })
  }

  function down(event: PointerEvent): void {
    if (event.button !== 0) return
    if (pointers.size === 0) {
      pressed = pointOf(event)
      isMoved = false
    } else isMoved = true
    pointers.set(event.pointerId, pointOf(event))
  }

  function move(event: PointerEvent): void {
    if (!pointers.has(event.pointerId)) return
    const before = [...pointers.values()]
    pointers.set(event.pointerId, pointOf(event))
    const after = [...pointers.values()]
    const [from, to] = [middleOf(before), middleOf(after)]
    isMoved ||= Math.hypot(to.x - pressed.x, to.y - pressed.y) > CLICK_RANGE
    if (!isMoved) return
    pan({ x: to.x - from.x, y: to.y - from.y })
    if (after.length > 1) zoom({ ...to, factor: distanceOf(after) / distanceOf(before) })
  }

  const up = ({ pointerId }: PointerEvent): void => void pointers.delete(pointerId)

  /** Two fingers are a pinch: the browser must not scroll with them. */
  function touch(event: TouchEvent): void {
    if (event.touches.length > 1) event.preventDefault()
  }

  pane.addEventListener('wheel', wheel, { signal, passive: false })
  pane.addEventListener('touchmove', touch, { signal, passive: false })
  pane.addEventListener('pointerdown', down, { signal })
  // A drag may leave the pane before it ends.
  addEventListener('pointermove', move, { signal })
  addEventListener('pointerup', up, { signal })
  addEventListener('pointercancel', up, { signal })
  return { wasMoved: () => isMoved, end: () => ended.abort() }
}
