import { device } from '../device.js'
import type { CityRow } from '../rows.js'
import { toPlace } from './projection.js'

/** Pixels around the pointer in which a city is found. */
const REACH = 10

/** The largest city near a point of the map, in pixels of the page. */
export async function cityAt(world: Element, clientX: number, clientY: number): Promise<CityRow | undefined> {
  const { left, top, width, height } = world.getBoundingClientRect()
  const place = (x: number, y: number) => toPlace((x - left) / width, (y - top) / height)
  const [from, to] = [place(clientX - REACH, clientY + REACH), place(clientX + REACH, clientY - REACH)]
  const [nearest] = await device.sql.all<{ id: string }>(
    'SELECT id FROM City WHERE longitude BETWEEN ? AND ? AND latitude BETWEEN ? AND ? ORDER BY population DESC LIMIT 1',
    [from.longitude, to.longitude, from.latitude, to.latitude],
  )
  return nearest && device.models.City.get(nearest.id)
}
