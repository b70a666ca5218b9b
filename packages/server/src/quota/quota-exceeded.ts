import { SyncError } from '@godwit/protocol'
import type { Metrics } from '../measure/metrics.js'
import type { Quota } from './quotas.js'

export interface ExceededQuota {
  readonly limit: Quota
  readonly message: string
  /** Seconds after which the request may succeed. */
  readonly retryAfter: number
}

/** The refusal of a request beyond a limit, counted. */
export function quotaExceeded(
  { metrics }: { readonly metrics: Metrics },
  { limit, message, retryAfter }: ExceededQuota,
): SyncError {
  metrics.limited.inc({ limit, result: 'refused' })
  return new SyncError('quota_exceeded', message, { details: { limit, retryAfter } })
}
