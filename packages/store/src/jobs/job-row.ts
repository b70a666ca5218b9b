import type { Job, NewJob } from '../jobs.js'

/** A job with the fields of the engine. */
export interface JobRow extends Job {
  readonly every?: number | undefined
  /** The maximum number of attempts. */
  readonly limit: number
  readonly backOff: number
  /** The end of a running job's lease, in milliseconds since 1970. */
  readonly until?: number | undefined
  /** The fence of the last start. */
  readonly fence: number
  /** When it is due after the present run, if it was enqueued during it. */
  readonly again?: number | undefined
}

const MAX_PAUSE_MS = 60_000

/** Returns the row of an enqueued job, merged with the one before. */
export function enqueue(before: JobRow | undefined, job: NewJob, now: number): JobRow {
  const { queue, id, kind, data, group, delay = 0, every, attempts: limit = 5, backOff = 1000 } = job
  const given = { queue, id, kind, data, group, every, limit, backOff }
  const dueAt = now + delay
  if (before?.state === 'running') return { ...before, ...given, again: earlierOf(before.again, dueAt) }
  if (before?.state === 'waiting') return { ...before, ...given, dueAt: earlierOf(before.dueAt, dueAt) }
  return { ...given, state: 'waiting', attempts: 0, dueAt, fence: before?.fence ?? 0 }
}

/** Returns the row of a started job. `until` is the end of its lease, in milliseconds since 1970. */
export const takeJob = (row: JobRow, fence: number, until: number): JobRow => ({
  ...row,
  state: 'running',
  attempts: row.attempts + 1,
  fence,
  until,
})

/** Returns the row after a success, or undefined if the job is done. */
export function completeJob(row: JobRow, now: number): JobRow | undefined {
  const dueAt = row.again ?? (row.every === undefined ? undefined : now + row.every)
  return dueAt === undefined ? undefined : toWaiting({ ...row, attempts: 0, reason: undefined }, dueAt)
}

/** Returns the row after a failed attempt: waiting for the next attempt or repetition, or dead if none is left. */
export function failAttempt(row: JobRow, reason: string, now: number): JobRow {
  const { attempts, limit, backOff, again, every } = row
  if (attempts < limit) {
    const pause = Math.min(MAX_PAUSE_MS, backOff * 2 ** Math.min(attempts - 1, 20))
    return toWaiting({ ...row, reason }, earlierOf(again, now + pause))
  }
  const dueAt = again ?? (every === undefined ? undefined : now + every)
  if (dueAt !== undefined) return toWaiting({ ...row, reason, attempts: 0 }, dueAt)
  return { ...row, state: 'dead', reason, dueAt: now, until: undefined }
}

/** Returns the row as if it had not been taken. */
export const giveBack = (row: JobRow, now: number): JobRow => toWaiting({ ...row, attempts: row.attempts - 1 }, now)

/** Corrects a row written while the clock was ahead: due now, or with a new lease, as its worker may still run. */
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

/** Removes the fields of the engine. */
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
