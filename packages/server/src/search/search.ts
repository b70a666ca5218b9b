import {
  type Attributes,
  DEFAULT_SEARCH_RESULTS,
  emptyRecord,
  type ObjectMap,
  type Search,
  type SearchResult,
  type SearchResults,
  type SourceError,
  SyncError,
} from '@godwit/protocol'
import { attributesText, parseAttributes } from '@godwit/store/history'
import { holdFoundBlobs } from '../blobs/found-blobs.js'
import type { Engine } from '../engine.js'
import { checkPart } from '../query/query-results.js'
import { type CallEngine, callSource } from '../sources/call-source.js'
import { collectionOf } from '../sources/partition-of.js'
import { shownError } from '../sources/shown-error.js'
import { withLogin } from '../sources/with-login.js'

type SearchEngine = Pick<Engine, 'sources' | 'reporter'> & CallEngine

/** Searches the sources in parallel, each with its own result or error. Nothing is stored in a collection. */
export async function search(engine: SearchEngine, user: string, asked: Search): Promise<SearchResults> {
  const results = emptyRecord<SearchResult>()
  const names = [...new Set(asked.sources)]
  const found = await Promise.all(names.map(async name => [name, await searchOne(engine, user, name, asked)] as const))
  for (const [name, result] of found) results[name] = result
  return { results }
}

async function searchOne(engine: SearchEngine, user: string, name: string, asked: Search): Promise<SearchResult> {
  try {
    return { objects: await searchSource(engine, user, name, asked) }
  } catch (error) {
    const failure = shownError(engine, error, { source: name, logMessage: 'a search failed', level: 'debug' })
    reportFailure(engine, user, name, failure)
    return { error: failure }
  }
}

/** Reports a failure, if the source exists and can be searched. */
function reportFailure({ sources, reporter }: SearchEngine, user: string, name: string, error: SourceError): void {
  const source = sources.find(name)
  if (!source?.methods.search) return
  reporter.report({ kind: 'call_failed', ...collectionOf(source, user), user, method: 'search', error })
}

async function searchSource(
  engine: SearchEngine,
  user: string,
  name: string,
  { search: wanted, offset = 0, max_results: limit = DEFAULT_SEARCH_RESULTS }: Search,
): Promise<ObjectMap> {
  const source = await engine.sources.learn(name, user)
  const { methods, timeout } = source
  if (!methods.search) throw new SyncError('operation_not_supported', `${name} cannot be searched.`)
  const collection = collectionOf(source, user)
  const { partition } = collection
  const { beforeTimeout } = callSource(engine, { source, user, partition, timeout }, (context, holdSignal) =>
    withLogin({ source, context, holdSignal }, () => methods.search?.(wanted, { ...context, offset, limit })),
  )
  const found = firstOf(checkPart(name, (await beforeTimeout) ?? {}, 'search'), limit)
  if (!source.passThrough) await holdFoundBlobs(engine, { collection, user }, found)
  return found
}

/** Returns at most `limit` objects; attributes that are null are absent. */
function firstOf(objects: ObjectMap, limit: number): ObjectMap {
  const first = emptyRecord<Attributes>()
  for (const [id, attributes] of Object.entries(objects).slice(0, limit)) {
    first[id] = parseAttributes(attributesText(attributes))
  }
  return first
}
