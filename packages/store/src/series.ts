/** What was counted and measured under one key in one minute. */
export interface Bucket {
  /** When it begins: Unix seconds, a multiple of `BUCKET_SECONDS`. */
  readonly time: number
  readonly count: number
  readonly sum: number
  readonly min: number
  readonly max: number
}

/** What a gauge showed in one minute. */
export interface Level {
  /** When the minute begins: Unix seconds, a multiple of `BUCKET_SECONDS`. */
  readonly time: number
  readonly value: number
}

/** A bucket or a level, with its key. A key is always used for the same of the two. */
export type Point = { readonly key: string } & (Bucket | Level)

/** Seconds that one point of a series stands for. */
export const BUCKET_SECONDS = 60

/** How long points are kept, by the store's clock. */
export const SERIES_SECONDS = 31 * 24 * 3600

/** Statistics over time, by key: at most one point a minute, kept for 31 days. */
export interface Series {
  /**
   * One atomic step for all of them. A bucket joins the one of its key and time: counts and sums are added, min and max widened. A level
   * takes the place of the one before. Its work is that of the points given: what has grown old goes a little at a time.
   */
  add(points: readonly Point[]): Promise<void>

  /** Those with a point that is kept, in order of their UTF-8 bytes. */
  keys(): Promise<readonly string[]>

  /**
   * The points of a key in order of time, from index `start` to index `finish`, both included; a negative index counts from the end, -1
   * is the last. Beyond either end there is nothing. Undefined: the key has no point that is kept.
   */
  read(
    key: string,
    range: { readonly start: number; readonly finish: number },
  ): Promise<readonly (Bucket | Level)[] | undefined>
}
