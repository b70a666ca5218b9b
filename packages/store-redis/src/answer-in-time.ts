import { SyncError } from '@godwit/protocol'

/** Resolves as the work does, or rejects with `store_unavailable` after the given milliseconds. The work itself continues. */
export async function inTime<Result>(work: Promise<Result>, milliseconds: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const overdue = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(saidNothing(milliseconds)), milliseconds)
  })
  return Promise.race([work, overdue]).finally(() => clearTimeout(timer))
}

export const saidNothing = (milliseconds: number): SyncError => {
  const message = `Redis said nothing for ${milliseconds} ms: it is down, or has more to do than it can.`
  return new SyncError('store_unavailable', message, { retryable: true })
}
