import {
  type Attributes,
  DEFAULT_SEARCH_RESULTS,
  emptyRecord,
  type ObjectMap,
  parametersName,
  parametersOf,
  type Search,
  type SearchResult,
  type SearchResults,
  type SourceError,
  SyncError,
} from '@godwit/protocol'
import type { Source } from '@godwit/source'
import { READ_BYTES } from '@godwit/store'
import { attributesText, parseAttributes, takeUpTo } from '@godwit/store/history'
import { type AccessEngine, judgePartitions } from '../../backend/partitions/access.js'
import { checkPart } from '../../backend/query/query-results.js'
import { callSource } from '../../backend/sources/call-source.js'
import { collectionOf } from '../../backend/sources/partition-of.js'
import { publicError } from '../../backend/sources/public-error.js'
import { withLogin } from '../../backend/sources/with-login.js'
import { holdFoundBlobs } from '../blobs/found-blobs.js'
import type { DeviceEngine } from '../device-engine.js'

type SearchEngine = Pick<DeviceEngine, 'sources' | 'reporter'> & AccessEngine

/**
 * Searches the sources in parallel, each with its own result or error, and stores nothing in a collection. The results have `READ_BYTES` together, or
 * one object for each source.
 */
export async function search(engine: SearchEngine, user: string, searched: Search): Promise<SearchResults> {
  const results = emptyRecord<SearchResult>()
  const names = [...new Set(searched.sources)]
  const bytes = READ_BYTES / names.length
  const found = await Promise.all(
    names.map(async name => [name, await searchOne(engine, user, name, searched, bytes)] as const),
  )
  for (const [name, result] of found) results[name] = result
  return { results }
}

async function searchOne(
  engine: SearchEngine,
  user: string,
  name: string,
  searched: Search,
  bytes: number,
): Promise<SearchResult> {
  try {
    return await searchSource(engine, user, name, searched, bytes)
  } catch (error) {
    const failure = publicError(engine, error, { source: name, logMessage: 'a search failed', level: 'debug' })
    reportFailure(engine, user, name, failure)
    return { error: failure }
  }
}

/** Reports a failure, if the source exists and can be searched. */
function reportFailure({ sources, reporter }: SearchEngine, user: string, name: string, error: SourceError): void {
  const source = sources.find(name)
  if (!source?.methods.search) return
  const collection = source.by === undefined ? collectionOf(source, user) : { source: name, partition: '*' }
  reporter.report({ kind: 'call_failed', ...collection, user, method: 'search', error })
}

async function searchSource(
  engine: SearchEngine,
  user: string,
  name: string,
  { search: wanted, offset = 0, max_results: limit = DEFAULT_SEARCH_RESULTS }: Search,
  bytes: number,
): Promise<SearchResult> {
  const source = await engine.sources.learn(name, user)
  const { methods, timeout } = source
  if (!methods.search) throw new SyncError('operation_not_supported', `${name} cannot be searched.`)
  const collection = source.by === undefined ? collectionOf(source, user) : undefined
  const partition = collection?.partition ?? '*'
  const { beforeTimeout } = callSource(engine, { source, user, partition, timeout }, (context, holdSignal) =>
    withLogin({ source, context, holdSignal }, () => methods.search?.(wanted, { ...context, offset, limit })),
  )
  const all = Object.entries(checkPart(name, (await beforeTimeout) ?? {}, 'search')).slice(0, limit)
  if (collection === undefined) return firstOf(await visibleTo(engine, source, user, all), bytes)
  const found = firstOf(all, bytes)
  if (!source.passThrough) await holdFoundBlobs(engine, { collection, user }, found.objects)
  return found
}

/** Returns the objects of partitions that the user may see. One whose attributes name no partition is left out. */
async function visibleTo(
  engine: SearchEngine,
  source: Source,
  user: string,
  found: readonly (readonly [id: string, attributes: Attributes])[],
): Promise<readonly (readonly [id: string, attributes: Attributes])[]> {
  const { by = [] } = source
  const named = found.flatMap(([id, attributes]) => {
    const parameters = parametersOf(by, attributes)
    return parameters === undefined ? [] : [{ id, attributes, parameters, name: parametersName(parameters) }]
  })
  const partitions = [...new Map(named.map(({ name, parameters }) => [name, parameters])).values()]
  const { verdicts } = await judgePartitions(engine, source, user, partitions)
  const allowed = new Set(partitions.filter((_, index) => verdicts[index] === true).map(parametersName))
  return named.filter(({ name }) => allowed.has(name)).map(({ id, attributes }) => [id, attributes] as const)
}

/** Returns the first objects, up to a number of bytes, but at least one; attributes that are null are absent. */
function firstOf(
  found: readonly (readonly [id: string, attributes: Attributes])[],
  bytes: number,
): SearchResult & { readonly objects: ObjectMap } {
  const texts = found.map(([id, attributes]) => ({ id, text: attributesText(attributes) }))
  const { taken } = takeUpTo(texts, found.length, ({ text }) => Buffer.byteLength(text), bytes)
  const objects = emptyRecord<Attributes>()
  for (const { id, text } of taken) objects[id] = parseAttributes(text)
  return { objects, ...(taken.length < found.length && { more: true }) }
}
