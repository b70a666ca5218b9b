/** The statistics of one key in one minute. */
export interface Bucket {
  /** The start of the minute: Unix seconds, a multiple of `BUCKET_SECONDS`. */
  readonly time: number
  readonly count: number
  readonly sum: number
  readonly min: number
  readonly max: number
}

/** The value of a gauge in one minute. */
export interface Level {
  /** The start of the minute: Unix seconds, a multiple of `BUCKET_SECONDS`. */
  readonly time: number
  readonly value: number
}

/** A bucket or a level, with its key. All points of a key are of the same type. */
export type Point = { readonly key: string } & (Bucket | Level)

/** The length of a bucket in seconds. */
export const BUCKET_SECONDS = 60

/** The retention time of points in seconds, by the store's clock. */
export const SERIES_SECONDS = 31 * 24 * 3600

/** Statistics over time, by key: at most one point a minute, kept for 31 days. */
export interface Series {
  /**
   * Adds points in one atomic step. A bucket is merged with an existing one of its key and time: counts and sums are added, min and max widened; a
   * level replaces an existing one. Its cost is proportional to the points given: old ones are removed a few at a time.
   */
  add(points: readonly Point[]): Promise<void>

  /** Lists keys that have unexpired points, in order of their UTF-8 bytes. */
  keys(): Promise<readonly string[]>

  /**
   * Returns the points of a key in order of time, from index `start` to index `finish`, both included. A negative index counts from the end, -1 is
   * the last; indexes beyond either end are ignored. Undefined if the key has no unexpired points.
   */
  read(
    key: string,
    range: { readonly start: number; readonly finish: number },
  ): Promise<readonly (Bucket | Level)[] | undefined>
}
