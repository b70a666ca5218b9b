import type { AccountsEngine } from '../accounts/accounts-engine.js'
import type { PushLimiter } from '../accounts/quota/push-limiter.js'
import type { ReplyBudget } from '../accounts/quota/reply-budget.js'
import type { AdminEngine } from '../admin/admin-engine.js'
import type { Auditor } from '../admin/audit/auditor.js'
import type { Metrics } from '../admin/measure/metrics.js'
import type { AddressGuard } from '../backend/sources/address-guard.js'
import type { EventStreams } from '../device/events/event-streams.js'

/** What the edges use, and what handlers pass on to the wings below. */
export interface HttpEngine extends AccountsEngine, AdminEngine {
  readonly hub: EventStreams
  readonly metrics: Metrics
  /** Appends to the audit log. */
  readonly auditor: Auditor
  /** Limits concurrent pushes per user. */
  readonly pushLimiter: PushLimiter
  readonly replyBudget: ReplyBudget
  /** Decides which backend addresses may be called. */
  readonly addressGuard: AddressGuard
  /** The token required for the metrics. Undefined: none is required. */
  readonly metricsToken: string | undefined
  /** The licensee named in the license. */
  readonly licensee: string
  /** True if each request is logged. */
  readonly logRequests: boolean
  /** Origins of pages, besides the server's own, that may send credentials. */
  readonly origins: readonly string[]
  /** True if `X-Forwarded-Proto` determines whether a request came over https. */
  readonly trustProxy: boolean
}
