import { SyncError } from '@godwit/protocol'
import type { Job } from '@godwit/store'

/** A job's name over all queues, as text for paths and answers. */
export const jobId = ({ queue, id }: Pick<Job, 'queue' | 'id'>): string =>
  Buffer.from(JSON.stringify([queue, id])).toString('base64url')

/** Reads the id of a job that the API gave out. */
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
