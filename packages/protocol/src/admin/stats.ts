import { either, integer, list, number, object, optional, type Schema, string } from '../schema.js'

/** Either which metric keys there are, or the statistics of one. */
export interface StatsQuery {
  /** A pattern in which `*` stands for any text: the answer is the list of keys that match. */
  readonly names?: string
  /** A key: the answer is its statistics. */
  readonly metric?: string
  /** Index of the first bucket; a negative one counts from the end. Default 0. */
  readonly start?: number
  /** Index of the last bucket, included; -1 is the last there is. Default -1. */
  readonly finish?: number
}

/** What was counted in one minute. Minutes in which nothing happened have none. */
export interface StatsBucket {
  /** When the minute begins, in Unix seconds. */
  readonly time: number
  readonly count: number
  /** Of the durations, in seconds; so are `min` and `max`. */
  readonly sum: number
  readonly min: number
  readonly max: number
}

/** What a gauge (`users`, `clients`) showed in one minute. */
export interface StatsLevel {
  /** When the minute begins, in Unix seconds. */
  readonly time: number
  readonly value: number
}

/** Keys, sorted; or what the metric has in order of time. */
export type Stats = readonly string[] | readonly (StatsBucket | StatsLevel)[]

const index = integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })

export const statsQuerySchema: Schema<StatsQuery> = object<StatsQuery>({
  names: optional(string({ maxLength: 256 })),
  metric: optional(string()),
  start: optional(index),
  finish: optional(index),
})

const bucket = object<StatsBucket>({ time: integer(), count: integer(), sum: number(), min: number(), max: number() })
const level = object<StatsLevel>({ time: integer(), value: number() })

export const statsSchema: Schema<Stats> = either(list(string()), list(either(bucket, level)))
