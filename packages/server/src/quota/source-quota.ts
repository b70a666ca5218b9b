import type { SyncError } from '@godwit/protocol'
import type { Metrics } from '../measure/metrics.js'
import { quotaExceeded } from './quota-exceeded.js'

/** An unused name is forgotten after a day: until then asking again changes nothing. */
const RETRY_AFTER = 3600

/** The refusal of one more source that is not configured. */
export const sourceQuotaExceeded = (metrics: Metrics, most: number): SyncError =>
  quotaExceeded(
    { metrics },
    {
      limit: 'dynamicSourcesPerUser',
      message: `A user may bring ${most} sources into being here, and this is one more. Configure it, or raise limits.dynamicSourcesPerUser; one that stays empty is forgotten after a day.`,
      retryAfter: RETRY_AFTER,
    },
  )
