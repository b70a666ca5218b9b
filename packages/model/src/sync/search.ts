import { type Attributes, emptyRecord, type ObjectId, type Search, SyncError } from '@godwit/protocol'
import type { OpenModel } from '../database/models.js'
import { ServerRows } from '../records/store-row.js'
import type { ErrorFacts } from './events.js'
import { fetchBlobs } from './fetch-blobs.js'
import { dropSearchRows } from './restart-source.js'
import { endedBy } from './sync.js'
import type { SyncContext, SyncRun } from './sync-context.js'

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

/** Searches the server, adds the results to the rows in one transaction, then downloads their blobs. Existing rows do not change. */
export async function search(
  context: SyncContext,
  models: readonly OpenModel[],
  { search: wanted, offset = 0, max_results }: SearchOptions,
): Promise<SearchSummary> {
  const { transport, session, database } = context
  const token = session.required()
  const sources = models.map(({ name }) => name)
  const asked = { sources, search: wanted, offset, ...(max_results !== undefined && { max_results }) }
  const { results } = await transport.search(asked, { session: token }).catch(cause => {
    throw endedBy(context, token, cause)
  })
  const found = database.transaction(() => {
    if (session.token !== token)
      throw new SyncError('logged_out', 'Another user logged in during the search. Search again.')
    return {
      sources: models.map(model => {
        const { objects = emptyRecord<Attributes>(), error } = results[model.name] ?? {}
        if (offset === 0 && !error) dropSearchRows(model)
        const rows = new ServerRows(model, model.partition.sources.get(model.name))
        for (const [object, attributes] of Object.entries(objects)) rows.find(object, attributes)
        return { source: model.name, objects: Object.keys(objects), ...(error && { error }) }
      }),
    }
  })
  for (const model of models) await fetchBlobs(context, model, newRun())
  return found
}

const newRun = (): SyncRun => ({
  signal: new AbortController().signal,
  query: {},
  received: 0,
  sent: 0,
  refusedAgain: 0,
})
