import { SyncError } from '@godwit/protocol'
import type { Job } from '@godwit/store'

/** Returns the id of a job across all queues, as text for paths and responses. */
export const jobId = ({ queue, id }: Pick<Job, 'queue' | 'id'>): string =>
  Buffer.from(JSON.stringify([queue, id])).toString('base64url')

/** Parses a job id from the API. */
export function parseJobId(text: string): Pick<Job, 'queue' | 'id'> {
  try {
    const [queue, id] = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[]
    if (typeof queue === 'string' && typeof id === 'string') return { queue, id }
  } catch {}
  throw new SyncError(
    'value_not_allowed',
    `${JSON.stringify(text)} does not name a job. GET /rc/v1/system/jobs lists them.`,
  )
}
