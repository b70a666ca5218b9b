import type { LastUseRecorder } from '../access/last-use.js'
import type { ServerEngine } from '../engine.js'
import type { MetricsPage } from './metrics-page.js'
import type { Router } from './router.js'
import type { StaticPages } from './static.js'

/** What every edge of a running server has in its hands. */
export interface EdgeContext {
  readonly engine: ServerEngine
  readonly router: Router
  readonly notes: LastUseRecorder
  readonly traffic: Traffic
  readonly metricsPage: MetricsPage
  readonly staticPages: StaticPages
}

/** What is going on at the edges. */
export interface Traffic {
  /** Requests being answered. */
  open: number
  /** The server stops: it still answers, and says so to those who would keep a connection. */
  draining: boolean
}
