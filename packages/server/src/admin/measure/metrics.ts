import { Counter, Histogram, Registry } from 'prom-client'
import { QUOTAS } from '../../accounts/quota/quotas.js'

/** Bounds of the request histogram, in seconds. */
export const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const QUERY_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 120, 300, 600]
const ROWS = [0, 1, 10, 50, 100, 500, 1000, 2000, 5000, 10_000]

/** The metrics of this process since its start, for `/metrics`. Label values come from fixed sets: routes, error codes, sources. */
export class Metrics {
  readonly registry = new Registry()
  readonly #registers = [this.registry]
  readonly requests = new Histogram({
    name: 'godwit_request_duration_seconds',
    help: 'From the request to its answer, without sending it, by route.',
    labelNames: ['route'],
    buckets: REQUEST_SECONDS,
    registers: this.#registers,
  })
  readonly failures = new Counter({
    name: 'godwit_request_failures_total',
    help: 'Requests that were answered with an error, by route and code.',
    labelNames: ['route', 'code'],
    registers: this.#registers,
  })
  readonly pull = new Histogram({
    name: 'godwit_pull_duration_seconds',
    help: 'Reading and writing the page of a pull, after a query that was due.',
    buckets: REQUEST_SECONDS,
    registers: this.#registers,
  })
  readonly push = new Histogram({
    name: 'godwit_push_duration_seconds',
    help: 'From the mutations of a push to their outcomes, with the calls of the source.',
    buckets: REQUEST_SECONDS,
    registers: this.#registers,
  })
  readonly queries = new Histogram({
    name: 'godwit_query_duration_seconds',
    help: 'From the call of a source to the end of the replacement, retries included, by source.',
    labelNames: ['source'],
    buckets: QUERY_SECONDS,
    registers: this.#registers,
  })
  readonly failedQueries = new Counter({
    name: 'godwit_query_failures_total',
    help: 'Queries that failed, their retries as well, by source.',
    labelNames: ['source'],
    registers: this.#registers,
  })
  readonly feedLag = new Histogram({
    name: 'godwit_feed_lag_seconds',
    help: 'From the commit in the backend to the end of the batch that brought it, by feed, where the feed knows.',
    labelNames: ['feed'],
    buckets: REQUEST_SECONDS,
    registers: this.#registers,
  })
  readonly feedRestarts = new Counter({
    name: 'godwit_feed_restarts_total',
    help: 'How often a feed failed and was opened again, by feed.',
    labelNames: ['feed'],
    registers: this.#registers,
  })
  readonly pageRows = new Histogram({
    name: 'godwit_page_rows',
    help: 'Objects and removals in a page.',
    buckets: ROWS,
    registers: this.#registers,
  })
  readonly limited = new Counter({
    name: 'godwit_limited_total',
    help: 'How often a limit per user or client was reached: refused requests, and older items that were dropped.',
    labelNames: ['limit', 'result'],
    registers: this.#registers,
  })
  readonly pushMessages = new Counter({
    name: 'godwit_push_messages_total',
    help: 'Push messages to providers, by provider and what became of them: sent, refused, gone, deferred, repeated, throttled.',
    labelNames: ['provider', 'result'],
    registers: this.#registers,
  })

  constructor() {
    for (const limit of QUOTAS) for (const result of ['refused', 'made_room']) this.limited.inc({ limit, result }, 0)
  }
}
