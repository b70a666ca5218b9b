import { isFromClockAhead } from '../clock-ahead.js'
import { compareIds } from '../history/object-id.js'
import { embeddedJobs } from '../jobs/embedded-jobs.js'
import type { JobRow } from '../jobs/job-row.js'
import type { JobRows, JobTable } from '../jobs/job-table.js'
import type { Job, Jobs } from '../jobs.js'

/** Jobs in memory, lost with the process. */
export const openMemoryJobs = ({ clock = Date.now }: { readonly clock?: () => number } = {}): Jobs =>
  embeddedJobs(memoryJobTable(clock))

/** A table that several engines can share, as processes share a file. */
export function memoryJobTable(clock: () => number): JobTable {
  const rows = memoryRows(clock)
  let fence = 0
  return {
    now: clock,
    nextFence: () => ++fence,
    read: async work => work(rows),
    write: async work => work(rows),
    writeEarly: async work => work(rows),
  }
}

function memoryRows(clock: () => number): JobRows {
  const rows = new Map<string, JobRow>()
  const writtenAt = new WeakMap<JobRow, number>()
  const all = (state: JobRow['state']): JobRow[] => [...rows.values()].filter(row => row.state === state)
  return {
    get: (queue, id) => rows.get(keyOf({ queue, id })),
    put(row) {
      const kept = structuredClone(row)
      writtenAt.set(kept, clock())
      rows.set(keyOf(row), kept)
    },
    remove: row => void rows.delete(keyOf(row)),
    first({ now, queues, full }) {
      const busy = new Set(all('running').map(({ group }) => group))
      const isFree = ({ queue, group, dueAt }: JobRow): boolean =>
        dueAt <= now &&
        !full.includes(queue) &&
        (queues?.includes(queue) ?? true) &&
        (group === undefined || !busy.has(group))
      return all('waiting')
        .filter(isFree)
        .sort((one, other) => one.dueAt - other.dueAt)[0]
    },
    fromClockAhead: now =>
      [...all('waiting'), ...all('running')].filter(row => isFromClockAhead(writtenAt.get(row) ?? 0, now)),
    lost: now => all('running').filter(({ until = 0 }) => until <= now),
    next(now) {
      const times = [...all('waiting').map(({ dueAt }) => dueAt), ...all('running').map(({ until = 0 }) => until)]
      const later = times.filter(time => time > now)
      return later.length > 0 ? later.reduce((one, other) => Math.min(one, other)) : undefined
    },
    page: ({ queue, state, after, limit }) =>
      [...rows.values()]
        .filter(row => (queue ?? row.queue) === row.queue && (state ?? row.state) === row.state)
        .filter(row => after === undefined || compare(row, after) > 0)
        .sort(compare)
        .slice(0, limit),
    forget(before) {
      for (const row of all('dead')) if (row.dueAt < before) rows.delete(keyOf(row))
    },
    clear: () => rows.clear(),
  }
}

type JobName = Pick<Job, 'queue' | 'id'>

const keyOf = ({ queue, id }: JobName): string => JSON.stringify([queue.toWellFormed(), id.toWellFormed()])

const compare = (one: JobName, other: JobName): number =>
  compareIds(one.queue, other.queue) || compareIds(one.id, other.id)
