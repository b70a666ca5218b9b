import { SyncError } from '@godwit/protocol'
import type { Engine } from '../engine.js'

/** The limits for each user or client. */
export const QUOTAS = ['clientsPerUser', 'streamsPerClient', 'pushesPerUser', 'outcomesPerClient'] as const
export type Quota = (typeof QUOTAS)[number]

export interface Exceeded {
  readonly limit: Quota
  readonly message: string
  /** Seconds after which the request may succeed. */
  readonly retryAfter: number
}

/** The refusal of a request beyond a limit, counted. */
export function quotaExceeded(
  { metrics }: Pick<Engine, 'metrics'>,
  { limit, message, retryAfter }: Exceeded,
): SyncError {
  metrics.limited.count({ limit, result: 'refused' })
  return new SyncError('quota_exceeded', message, { details: { limit, retryAfter } })
}
