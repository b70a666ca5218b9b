import type { JobInfo, JobList } from '@godwit/protocol'
import type { Job } from '@godwit/store'
import { jobId, parseJobId } from '../../backend/jobs/job-id.js'
import type { AdminEngine } from '../admin-engine.js'

/** Lists unfinished jobs without their data, since the text of a ping is for its devices only. */
export async function listJobs(
  { jobs }: Pick<AdminEngine, 'jobs'>,
  { queue, state, after, limit = 100 }: JobList,
): Promise<readonly JobInfo[]> {
  const page = { queue, state, after: after === undefined ? undefined : parseJobId(after), limit }
  return (await jobs.list(page)).map(jobInfo)
}

function jobInfo(job: Job): JobInfo {
  const { queue, kind, state, attempts, dueAt, reason = null, data } = job
  const about = { source: null, partition: null, ...(typeof data === 'object' && data) } as Record<string, unknown>
  return {
    id: jobId(job),
    queue,
    kind,
    state,
    attempts,
    due_at: new Date(dueAt).toISOString(),
    reason,
    source: textOf(about['source']),
    partition: textOf(about['partition']),
  }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
