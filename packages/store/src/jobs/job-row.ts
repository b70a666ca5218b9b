import type { Job, NewJob } from '../jobs.js'

/** A job with what an engine keeps about it. */
export interface JobRow extends Job {
  readonly every?: number | undefined
  /** Attempts that it has. */
  readonly limit: number
  readonly backOff: number
  /** Until when its worker has it, in milliseconds since 1970; of one that runs. */
  readonly until?: number | undefined
  /** Of the last take. */
  readonly fence: number
  /** When it is due after the run under way: it was enqueued meanwhile. */
  readonly again?: number | undefined
}

const LONGEST_PAUSE = 60_000

/** What is kept when a job is enqueued over what was there. */
export function enqueue(before: JobRow | undefined, job: NewJob, now: number): JobRow {
  const { queue, id, kind, data, group, delay = 0, every, attempts: limit = 5, backOff = 1000 } = job
  const given = { queue, id, kind, data, group, every, limit, backOff }
  const dueAt = now + delay
  if (before?.state === 'running') return { ...before, ...given, again: earlierOf(before.again, dueAt) }
  if (before?.state === 'waiting') return { ...before, ...given, dueAt: earlierOf(before.dueAt, dueAt) }
  return { ...given, state: 'waiting', attempts: 0, dueAt, fence: before?.fence ?? 0 }
}

/** Returns the row of a job that a worker takes. `until` is the end of its lease, in milliseconds since 1970. */
export const takeJob = (row: JobRow, fence: number, until: number): JobRow => ({
  ...row,
  state: 'running',
  attempts: row.attempts + 1,
  fence,
  until,
})

/** Returns the row after a success; undefined when the job is done. */
export function completeJob(row: JobRow, now: number): JobRow | undefined {
  const dueAt = row.again ?? (row.every === undefined ? undefined : now + row.every)
  return dueAt === undefined ? undefined : toWaiting({ ...row, attempts: 0, reason: undefined }, dueAt)
}

/** Returns the row after a failed attempt: it waits for the next attempt or repetition, or is dead when its attempts are used up. */
export function failAttempt(row: JobRow, reason: string, now: number): JobRow {
  const { attempts, limit, backOff, again, every } = row
  if (attempts < limit) {
    const pause = Math.min(LONGEST_PAUSE, backOff * 2 ** Math.min(attempts - 1, 20))
    return toWaiting({ ...row, reason }, earlierOf(again, now + pause))
  }
  const dueAt = again ?? (every === undefined ? undefined : now + every)
  if (dueAt !== undefined) return toWaiting({ ...row, reason, attempts: 0 }, dueAt)
  return { ...row, state: 'dead', reason, dueAt: now, until: undefined }
}

/** As if it had not been taken. */
export const giveBack = (row: JobRow, now: number): JobRow => toWaiting({ ...row, attempts: row.attempts - 1 }, now)

/** One of a clock that was ahead: due now, or leased from now on, as its worker may still run. */
export const correctClock = (
  row: JobRow,
  { now, lease }: { readonly now: number; readonly lease: number },
): JobRow => ({
  ...row,
  dueAt: Math.min(row.dueAt, now),
  ...(row.until !== undefined && { until: Math.min(row.until, now + lease) }),
  ...(row.again !== undefined && { again: Math.min(row.again, now) }),
})

const toWaiting = (row: JobRow, dueAt: number): JobRow => ({
  ...row,
  state: 'waiting',
  dueAt,
  until: undefined,
  again: undefined,
})

const earlierOf = (one: number | undefined, other: number): number => Math.min(one ?? other, other)

/** Without what only the engine needs. */
export function jobOf({ queue, id, kind, data, group, state, attempts, dueAt, reason }: JobRow): Job {
  return {
    queue,
    id,
    kind,
    data,
    state,
    attempts,
    dueAt,
    ...(group !== undefined && { group }),
    ...(reason !== undefined && { reason }),
  }
}
