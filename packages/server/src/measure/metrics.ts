import { QUOTAS } from '../quota/quotas.js'
import { Counts, type Family, Histograms } from './family.js'

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const QUERY_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 120, 300, 600]
const ROWS = [0, 1, 10, 50, 100, 500, 1000, 2000, 5000, 10_000]

/** What this process observed since it started, for `/metrics`. */
export class Metrics {
  readonly requests = new Histograms(
    {
      name: 'godwit_request_duration_seconds',
      help: 'From the request to its answer, without sending it, by route.',
      label: 'route',
    },
    SECONDS,
  )
  readonly failures = new Counts<'route' | 'code'>({
    name: 'godwit_request_failures_total',
    help: 'Requests that were answered with an error, by route and code.',
  })
  readonly queries = new Histograms(
    {
      name: 'godwit_query_duration_seconds',
      help: 'From the call of a source to the end of the replacement, retries included, by source.',
      label: 'source',
    },
    QUERY_SECONDS,
  )
  readonly failedQueries = new Counts<'source'>({
    name: 'godwit_query_failures_total',
    help: 'Queries that failed, their retries as well, by source.',
  })
  readonly #pulls = new Histograms(
    {
      name: 'godwit_pull_duration_seconds',
      help: 'Reading and writing the page of a pull, after a query that was due.',
    },
    SECONDS,
  )
  readonly #pushes = new Histograms(
    {
      name: 'godwit_push_duration_seconds',
      help: 'From the mutations of a push to their outcomes, with the calls of the source.',
    },
    SECONDS,
  )
  readonly #pageRows = new Histograms({ name: 'godwit_page_rows', help: 'Objects and removals in a page.' }, ROWS)
  readonly pull = this.#pulls.of()
  readonly push = this.#pushes.of()
  readonly pageRows = this.#pageRows.of()
  readonly limited = new Counts<'limit' | 'result'>({
    name: 'godwit_limited_total',
    help: 'How often a limit for each user or client was reached: requests refused, and older things that made room.',
  })
  readonly families: readonly Family[] = [
    this.requests,
    this.failures,
    this.#pulls,
    this.#pushes,
    this.queries,
    this.failedQueries,
    this.#pageRows,
    this.limited,
  ]

  constructor() {
    for (const limit of QUOTAS)
      for (const result of ['refused', 'made_room'] as const) this.limited.count({ limit, result }, 0)
  }
}
