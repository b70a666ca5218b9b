import { SyncError } from '@godwit/protocol'
import type { NewJob } from '../jobs.js'

/** Converts a job for storage, with well-formed names. Throws `value_not_allowed` for data that JSON cannot represent. */
export function storedJob(job: NewJob): NewJob {
  const { queue, id, kind, data, group } = job
  if (JSON.stringify(data) === undefined)
    throw new SyncError(
      'value_not_allowed',
      `job ${id} of queue ${queue}: expected JSON as its data, got ${typeof data}. Give null for none.`,
    )
  return {
    ...job,
    queue: queue.toWellFormed(),
    id: id.toWellFormed(),
    kind: kind.toWellFormed(),
    group: group?.toWellFormed(),
  }
}
