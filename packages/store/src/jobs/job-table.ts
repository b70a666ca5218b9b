import type { Job, JobPage } from '../jobs.js'
import type { JobRow } from './job-row.js'

/** Rows as one step of an engine sees and changes them. */
export interface JobRows {
  get(queue: string, id: string): JobRow | undefined
  put(row: JobRow): void
  remove(row: Pick<Job, 'queue' | 'id'>): void
  /** The first that is due, of those that wait in these queues and not in `full` ones, and whose group has none that runs. By due time, then in the order in which they came. */
  first(asked: JobFilter): JobRow | undefined
  /** Those that run, and whose lease is over. */
  lost(now: number): readonly JobRow[]
  /** Those that wait or run, and were put under a clock that was ahead of this one. */
  fromClockAhead(now: number): readonly JobRow[]
  /** When something changes by time alone: the first due time or end of a lease after `now`. */
  next(now: number): number | undefined
  /** In order of queue and id. */
  page(page: JobPage): readonly JobRow[]
  /** Removes the dead ones that died before. */
  forget(before: number): void
  clear(): void
}

/** Which waiting jobs an engine may take now; `full` names queues without a free place. */
export interface JobFilter {
  readonly now: number
  /** Undefined for all queues. */
  readonly queues: readonly string[] | undefined
  readonly full: readonly string[]
}

/** Where an embedded engine keeps its jobs. Each call is one atomic step. */
export interface JobTable {
  /** The store's clock, in milliseconds since 1970. */
  now(): number
  /** Never given before, and above all that were. */
  nextFence(): number
  /** Sees every step before it. */
  read<Result>(work: (rows: JobRows) => Result): Promise<Result>
  /** Resolves when it is durable. */
  write<Result>(work: (rows: JobRows) => Result): Promise<Result>
  /** Durable with a later step: losing it makes a job run again. */
  writeEarly<Result>(work: (rows: JobRows) => Result): Promise<Result>
}
