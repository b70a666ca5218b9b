import { type Push, SyncError } from '@godwit/protocol'
import type { CollectionId, Store } from '@godwit/store'
import type { Limits } from '../../base/limits.js'
import type { Quota } from './quotas.js'

/** Counts how often a quota was reached. */
export interface QuotaMetrics {
  readonly limited: { inc(labels: { readonly limit: Quota; readonly result: 'refused' | 'made_room' }): void }
}

/** A quota that a request exceeds. */
export interface ExceededQuota {
  readonly limit: Quota
  readonly message: string
  /** Seconds after which the request may succeed. */
  readonly retryAfter: number
}

/** Counts and returns the error for a request beyond a limit. */
export function quotaExceeded(
  { metrics }: { readonly metrics: QuotaMetrics },
  { limit, message, retryAfter }: ExceededQuota,
): SyncError {
  metrics.limited.inc({ limit, result: 'refused' })
  return new SyncError('quota_exceeded', message, { details: { limit, retryAfter } })
}

/** Seconds: an unused name is forgotten after a day, and a retry before that is useless. */
const UNUSED_NAME_RETRY = 3600

/** The error for one dynamic source too many. */
export const sourceQuotaExceeded = (metrics: QuotaMetrics, most: number): SyncError =>
  quotaExceeded(
    { metrics },
    {
      limit: 'dynamicSourcesPerUser',
      message: `A user may create at most ${most} sources, and this is one more. Configure it, or raise limits.dynamicSourcesPerUser. A source that stays empty is deleted after a day.`,
      retryAfter: UNUSED_NAME_RETRY,
    },
  )

/**
 * Refuses new mutations of a client with too many unacknowledged outcomes, which the journal has to keep. Reads the journal only if the numbers allow
 * for that many.
 */
export async function checkOutcomeQuota(
  engine: { readonly store: Store; readonly limits: Limits; readonly metrics: QuotaMetrics },
  collection: CollectionId,
  { client, push: { acknowledged, mutations } }: { readonly client: string; readonly push: Push },
): Promise<void> {
  const most = engine.limits.outcomesPerClient
  const newest = mutations.reduce((most, { number }) => Math.max(most, number), 0)
  if (newest - acknowledged <= most) return
  const { last } = await engine.store.journal.outcomes(collection, client, { after: acknowledged, limit: 1 })
  if (last - acknowledged <= most) return
  const message = `${last - acknowledged} outcomes of this client are not acknowledged, and ${most} are allowed. Pull, and acknowledge the outcomes in the pages.`
  throw quotaExceeded(engine, { limit: 'outcomesPerClient', message, retryAfter: 1 })
}
