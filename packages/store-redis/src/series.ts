import { type Bucket, type Level, type Point, SERIES_SECONDS, type Series } from '@godwit/store'
import type { RedisConnection } from './connection.js'
import { addPointsScript, keptScript, readPointsScript } from './scripts/series.js'

/** Milliseconds without new points after which a key expires. */
const KEY_LIFE = (SERIES_SECONDS + 86_400) * 1000

export function redisSeries(connection: RedisConnection): Series {
  const naming = connection.keys.series
  const oldest = async () => (await connection.now()) / 1000 - SERIES_SECONDS
  return {
    add: async points => {
      if (points.length === 0) return
      const keys = points.map(({ key }) => connection.keys.points(key))
      const values = [await oldest(), KEY_LIFE, ...points.map(textOf), ...points.map(({ key }) => key.toWellFormed())]
      await connection.run(addPointsScript, naming, values, keys)
    },
    keys: async () => {
      const names = (await connection.command(naming('names'), 'ZRANGEBYLEX', '-', '+')) as readonly string[]
      const keys = names.map(name => connection.keys.points(name))
      const kept = (await connection.run(keptScript, naming, [await oldest()], keys)) as readonly number[]
      return names.filter((_, at) => kept[at] === 1)
    },
    read: async (key, { start, finish }) => {
      const list = await connection.run(
        readPointsScript,
        naming,
        [await oldest(), start, finish],
        [connection.keys.points(key)],
      )
      return list === null ? undefined : (list as readonly string[]).map(pointOf)
    },
  }
}

const textOf = (point: Point): string =>
  'count' in point
    ? [point.time, 'b', point.count, point.sum, point.min, point.max].join(' ')
    : [point.time, 'l', point.value].join(' ')

function pointOf(text: string): Bucket | Level {
  const [time = 0, , count = 0, sum = 0, min = 0, max = 0] = text.split(' ').map(Number)
  return text.includes(' b ') ? { time, count, sum, min, max } : { time, value: count }
}
