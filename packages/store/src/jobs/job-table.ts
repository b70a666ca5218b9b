import type { Job, JobPage } from '../jobs.js'
import type { JobRow } from './job-row.js'

/** The rows of jobs, within one step. */
export interface JobRows {
  get(queue: string, id: string): JobRow | undefined
  put(row: JobRow): void
  remove(row: Pick<Job, 'queue' | 'id'>): void
  /**
   * The first due job of these queues that waits, is in none of the `full` queues, and whose group has no running job; ordered by due time, then by
   * insertion.
   */
  first(filter: JobFilter): JobRow | undefined
  /** Running jobs whose lease has expired. */
  lost(now: number): readonly JobRow[]
  /** Waiting or running jobs written while the clock was ahead of the present time. */
  fromClockAhead(now: number): readonly JobRow[]
  /** The first due time or end of a lease after `now`. */
  next(now: number): number | undefined
  /** Lists jobs in order of queue and id. */
  page(page: JobPage): readonly JobRow[]
  /** Removes jobs that died before this time. */
  forget(before: number): void
  clear(): void
}

/** The filter for the next job; `full` names queues at their concurrency limit. */
export interface JobFilter {
  readonly now: number
  /** Undefined for all queues. */
  readonly queues: readonly string[] | undefined
  readonly full: readonly string[]
}

/** The storage of an embedded engine. Each call is one atomic step. */
export interface JobTable {
  /** The store's clock, in milliseconds since 1970. */
  now(): number
  /** Returns a new fence, higher than all before. */
  nextFence(): number
  /** Reads after all earlier steps. */
  read<Result>(work: (rows: JobRows) => Result): Promise<Result>
  /** Resolves when the step is durable. */
  write<Result>(work: (rows: JobRows) => Result): Promise<Result>
  /** Resolves before the step is durable. Losing it makes a job run again. */
  writeEarly<Result>(work: (rows: JobRows) => Result): Promise<Result>
}
