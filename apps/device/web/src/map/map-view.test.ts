import { describe, expect, test } from '@jest/globals'
import { FIRST_VIEW, type MapView, panBy, showing, withinWorld, worldBox, zoomAt } from './map-view.js'
import { ASPECT, toPlace, toX, toY } from './projection.js'

const PANES = [
  { width: 1000, height: 840 },
  { width: 390, height: 230 },
  { width: 800, height: 200 },
]
const covers = (view: MapView, size: (typeof PANES)[number]): boolean => {
  const { left, top, width, height } = worldBox(view, size)
  return left <= 0.5 && top <= 0.5 && left + width >= size.width - 0.5 && top + height >= size.height - 0.5
}

test('a place of the world has one point of the map, and the point that place', () => {
  for (const [longitude, latitude] of [
    [-180, 80],
    [180, -58],
    [135.77, 35.02],
    [-22, 64],
  ] as const) {
    const place = toPlace(toX(longitude), toY(latitude))
    expect(place.longitude).toBeCloseTo(longitude)
    expect(place.latitude).toBeCloseTo(latitude)
  }
})

describe.each(PANES)('in a pane of $width × $height', size => {
  test('the first view covers the pane, and so does every view moved from there', () => {
    expect(covers(withinWorld(FIRST_VIEW, size), size)).toBe(true)
    for (const [x, y] of [
      [5000, 5000],
      [-5000, -5000],
      [30, -20],
    ] as const)
      expect(covers(panBy(FIRST_VIEW, size, { x, y }), size)).toBe(true)
  })

  test('zooming keeps the place under the pointer', () => {
    const at = { x: size.width * 0.6, y: size.height * 0.4 }
    const first = withinWorld(FIRST_VIEW, size)
    const shareOf = (view: MapView) => {
      const { left, top, width, height } = worldBox(view, size)
      return [(at.x - left) / width, (at.y - top) / height]
    }
    const [x = 0, y = 0] = shareOf(first)
    const [nextX, nextY] = shareOf(zoomAt(first, size, { ...at, factor: 3 }))
    expect(nextX).toBeCloseTo(x)
    expect(nextY).toBeCloseTo(y)
  })

  test('zooming out ends at the whole world, in the center', () => {
    const whole = zoomAt(FIRST_VIEW, size, { x: 0, y: 0, factor: 0.001 })
    const { width, height } = worldBox(whole, size)
    expect(width).toBeCloseTo(Math.min(size.width, size.height * ASPECT))
    expect(height).toBeLessThanOrEqual(size.height + 0.001)
    expect([whole.x, whole.y]).toEqual([0.5, 0.5])
  })

  test('a place outside of the pane is moved into it, and one inside moves nothing', () => {
    const close = zoomAt(FIRST_VIEW, size, { x: size.width / 2, y: size.height / 2, factor: 20 })
    const auckland = { x: toX(174.76), y: toY(-36.85) }
    const moved = showing(close, size, auckland)
    const { left, top, width, height } = worldBox(moved, size)
    expect(left + auckland.x * width).toBeGreaterThan(0)
    expect(left + auckland.x * width).toBeLessThan(size.width)
    expect(top + auckland.y * height).toBeGreaterThan(0)
    expect(showing(moved, size, auckland)).toBe(moved)
  })
})
