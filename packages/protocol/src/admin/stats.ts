import { either, integer, list, number, object, optional, type Schema, string } from '../schema.js'

/** Selects either metric keys or the statistics of one metric. */
export interface StatsQuery {
  /** A pattern in which `*` matches any text: returns the matching keys. */
  readonly names?: string
  /** A metric key: returns its statistics. */
  readonly metric?: string
  /** Index of the first bucket; negative values count from the end. Default 0. */
  readonly start?: number
  /** Index of the last bucket, inclusive; -1 is the last bucket. Default -1. */
  readonly finish?: number
}

/** The statistics of one minute. Minutes without activity have no bucket. */
export interface StatsBucket {
  /** Start of the minute, in Unix seconds. */
  readonly time: number
  readonly count: number
  /** Sum of the durations in seconds, like `min` and `max`. */
  readonly sum: number
  readonly min: number
  readonly max: number
}

/** The value of a gauge (`users`, `clients`) in one minute. */
export interface StatsLevel {
  /** Start of the minute, in Unix seconds. */
  readonly time: number
  readonly value: number
}

/** Matching keys, sorted, or a metric's buckets in order of time. */
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
