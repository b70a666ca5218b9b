import { compareIds } from '../history/index.js'
import { type Bucket, type Level, type Point, SERIES_SECONDS, type Series } from '../series.js'

export interface MemorySeries extends Series {
  clear(): void
}

export function memorySeries(clock: () => number): MemorySeries {
  const series = new Map<string, Map<number, Bucket | Level>>()
  const oldest = () => clock() / 1000 - SERIES_SECONDS
  const pointsOf = (key: string) =>
    [...(series.get(key.toWellFormed())?.values() ?? [])]
      .filter(({ time }) => time > oldest())
      .sort((one, other) => one.time - other.time)
  return {
    add: async points => {
      for (const [key, times] of series) if (forget(times, oldest()).size === 0) series.delete(key)
      for (const { key, ...point } of points) {
        const times = series.get(key.toWellFormed()) ?? new Map<number, Bucket | Level>()
        series.set(key.toWellFormed(), times.set(point.time, mergePoint(times.get(point.time), point)))
      }
    },
    keys: async () => [...series.keys()].filter(key => pointsOf(key).length > 0).sort(compareIds),
    read: async (key, { start, finish }) => {
      const points = pointsOf(key)
      return points.length === 0 ? undefined : points.slice(...bounds(points.length, start, finish))
    },
    clear: () => series.clear(),
  }
}

/** Removes old points, which are at the front, since points arrive roughly in order of time. */
function forget(times: Map<number, Bucket | Level>, oldest: number): ReadonlyMap<number, Bucket | Level> {
  for (const time of times.keys()) {
    if (time > oldest) break
    times.delete(time)
  }
  return times
}

function mergePoint(before: Bucket | Level | undefined, point: Omit<Point, 'key'>): Bucket | Level {
  const now = point as Bucket | Level
  if (before === undefined || !('count' in now) || !('count' in before)) return now
  return {
    time: now.time,
    count: before.count + now.count,
    sum: before.sum + now.sum,
    min: Math.min(before.min, now.min),
    max: Math.max(before.max, now.max),
  }
}

/** Converts the range to arguments of `slice`. */
function bounds(length: number, start: number, finish: number): [number, number] {
  const from = (index: number) => (index < 0 ? length + index : index)
  return [Math.max(0, from(start)), Math.max(0, from(finish) + 1)]
}
