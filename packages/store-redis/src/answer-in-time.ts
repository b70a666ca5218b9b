import { SyncError } from '@godwit/protocol'
import { inTime } from '@godwit/store'

/** Resolves with the result of the work, or rejects with `store_unavailable` after this number of milliseconds. The work itself continues. */
export const answerInTime = <Result>(work: Promise<Result>, milliseconds: number): Promise<Result> =>
  inTime(work, milliseconds, () => noAnswer(milliseconds))

/** The error of a Redis that did not answer within this number of milliseconds. */
export const noAnswer = (milliseconds: number): SyncError => {
  const message = `Redis did not respond for ${milliseconds} ms: it is down or overloaded.`
  return new SyncError('store_unavailable', message, { retryable: true })
}
