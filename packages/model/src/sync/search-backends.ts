import {
  type Attributes,
  DEFAULT_SEARCH_RESULTS,
  emptyRecord,
  type ObjectId,
  type Search,
  SyncError,
} from '@godwit/protocol'
import { fetchBlobs } from '../blobs/fetch-blobs.js'
import type { OpenModel } from '../database/open-models.js'
import type { ErrorFacts } from '../events/sdk-events.js'
import { ServerRows } from '../records/store-row.js'
import { dropSearchRows } from '../run/restart-source.js'
import { endedBy } from '../run/source-failure.js'
import type { SyncContext, SyncRun } from '../run/sync-context.js'

/** What to search for, and in which sources. */
export interface SearchOptions<Name extends string = string> extends Pick<Search, 'search' | 'offset' | 'max_results'> {
  /** Names of models that sync. Default: all. */
  readonly sources?: Name | readonly Name[]
}

/** The result of a search, by source. */
export interface SearchSummary<Name extends string = string> {
  readonly sources: readonly FoundIn<Name>[]
}

/** The result of a search in one source. */
export interface FoundIn<Name extends string = string> {
  readonly source: Name
  /** Ids of the results, which are now rows of the model. */
  readonly objects: readonly ObjectId[]
  /** Why the search of this source failed. */
  readonly error?: ErrorFacts
}

/**
 * Searches the server, adds the results to the rows, which change no existing ones, and downloads their blobs. Results that are too large for one
 * reply are requested in several, each of which is one transaction.
 */
export async function search(
  context: SyncContext,
  models: readonly OpenModel[],
  { offset = 0, max_results: most = DEFAULT_SEARCH_RESULTS, ...options }: SearchOptions,
): Promise<SearchSummary> {
  const { sources, unfinished } = await searchOnce(context, models, { ...options, offset, max_results: most })
  const found = new Map(sources.map(result => [result.source, result]))
  for (let model = unfinished.pop(); model; model = unfinished.pop()) {
    const { objects } = found.get(model.name) as FoundIn
    const rest = { ...options, offset: offset + objects.length, max_results: most - objects.length }
    const next = await searchOnce(context, [model], { ...rest })
    const [result] = next.sources
    found.set(model.name, { ...result, source: model.name, objects: [...objects, ...(result?.objects ?? [])] })
    unfinished.push(...next.unfinished)
  }
  for (const model of models) await fetchBlobs(context, model, newRun())
  return { sources: [...found.values()] }
}

type SearchPage = Pick<Search, 'search'> & Required<Pick<Search, 'offset' | 'max_results'>>

/** Adds one reply to the rows; returns also the models that have further results. */
async function searchOnce(
  context: SyncContext,
  models: readonly OpenModel[],
  { search: wanted, offset, max_results }: SearchPage,
): Promise<SearchSummary & { readonly unfinished: OpenModel[] }> {
  const { transport, session, database } = context
  await context.signIn.ready()
  const token = session.required()
  const sources = models.map(({ name }) => name)
  const request = { sources, search: wanted, offset, max_results }
  const { results } = await transport.search(request, { session: token }).catch(cause => {
    throw endedBy(context, token, cause)
  })
  return database.transaction(() => {
    if (session.token !== token)
      throw new SyncError('logged_out', 'Another user logged in during the search. Search again.')
    return {
      sources: models.map(model => {
        const { objects = emptyRecord<Attributes>(), error } = results[model.name] ?? {}
        if (offset === 0 && !error) dropSearchRows(model)
        const rows = new ServerRows(model, model.state.get())
        for (const [object, attributes] of Object.entries(objects)) rows.find(object, attributes)
        return { source: model.name, objects: Object.keys(objects), ...(error && { error }) }
      }),
      unfinished: models.filter(({ name }) => {
        const { objects = {}, more = false } = results[name] ?? {}
        const count = Object.keys(objects).length
        return more && count > 0 && count < max_results
      }),
    }
  })
}

const newRun = (): SyncRun => ({
  signal: new AbortController().signal,
  query: {},
  received: 0,
  sent: 0,
  refusedAgain: 0,
})
