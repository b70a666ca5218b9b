import type { LastUseRecorder } from '../accounts/access/last-use.js'
import type { HttpEngine } from './http-engine.js'
import type { MetricsPage } from './metrics-page.js'
import type { Router } from './router.js'
import type { StaticPages } from './static.js'

/** The context shared by all edges of a running server. */
export interface EdgeContext {
  readonly engine: HttpEngine
  readonly router: Router
  readonly lastUse: LastUseRecorder
  readonly traffic: Traffic
  readonly metricsPage: MetricsPage
  readonly staticPages: StaticPages
}

/** The requests in progress at the edges. */
export interface Traffic {
  /** The number of requests in progress. */
  open: number
  /** True while the server stops: it still responds, with `connection: close`. */
  draining: boolean
}
