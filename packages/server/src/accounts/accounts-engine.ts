import type { Authenticate } from '../backend/sources/authenticate.js'
import type { PluginBackend } from '../backend/sources/plugin-backend.js'
import type { Sources } from '../backend/sources/sources.js'
import type { BaseEngine } from '../base/base-engine.js'
import type { ActiveRequests } from './access/active-requests.js'
import type { LoginThrottle } from './access/login-throttle.js'
import type { Passwords } from './access/passwords.js'
import type { AcceptedLogins } from './access/token-verifiers.js'
import type { QuotaMetrics } from './quota/quota-exceeded.js'

/** What logins, users, clients and quotas use. */
export interface AccountsEngine extends BaseEngine {
  readonly sources: Sources
  /** The client of the plugin backend, which may decide on device logins. */
  readonly backend: PluginBackend
  /** Decides on device logins. Undefined: users of the registry with their passwords. */
  readonly authenticate: Authenticate | undefined
  readonly passwords: Passwords
  /** What the server accepts at the login of a device. */
  readonly acceptedLogins: AcceptedLogins
  readonly throttle: LoginThrottle
  readonly activeRequests: ActiveRequests
  readonly metrics: QuotaMetrics
  /** Knows which clients have an open event stream in this process. */
  readonly hub: { isOpen(login: string, client: string): boolean }
}
