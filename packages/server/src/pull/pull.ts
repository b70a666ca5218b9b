import { DEFAULT_PAGE_SIZE, SyncError } from '@godwit/protocol'
import type { Engine } from '../engine.js'
import { Prepared } from '../prepared.js'
import { queryIfDue } from '../query/query-if-due.js'
import { aboutOf } from '../sources/about.js'
import { collectionOf } from '../sources/partition-of.js'
import type { ClientRecord } from '../users/client-record.js'
import { noteAcknowledged, noteReader } from './notes.js'
import { passOf, placeOf } from './pass.js'
import { writePage } from './write-page.js'

/** What a device asks of one source. */
export interface PullRequest {
  readonly source: string
  /** The login. */
  readonly user: string
  readonly client: ClientRecord
  readonly token: string | undefined
  readonly pageSize: number | undefined
  readonly acknowledged: number | undefined
  /** What the app gave to its sync, for the query of the source. With any, a pull that begins a pass queries at once. Default none. */
  readonly parameters?: { readonly [name: string]: string }
}

/** Outcomes a page carries at most. */
const OUTCOMES = 1000

/** One page: partition → query if due → acknowledge → outcomes → changes → page. A token may be used twice with the same result. */
export async function pull(engine: Engine, request: PullRequest): Promise<Prepared> {
  const { client, user, acknowledged = 0, pageSize = DEFAULT_PAGE_SIZE } = request
  const source = await engine.sources.learn(request.source)
  if (source.syncType === 'bulk_only') throw bulkOnly(source.name)
  const collection = collectionOf(source, user)
  const nonce = nonceOf(client, source.name)
  const place = placeOf(request.token, nonce)

  if (place.begins) await queryIfDue(engine, { source, collection, user, parameters: request.parameters ?? {} })
  const about = await aboutOf(engine, source, { collection, user, begins: place.begins })
  await noteAcknowledged(engine, collection, client.id, acknowledged)
  // Not later than the rows: an outcome then never tells of a version that the rows of this page don't know.
  const outcomes = await engine.store.journal.outcomes(collection, client.id, { after: acknowledged, limit: OUTCOMES })
  const changes = await read(engine, collection, { from: place.from, limit: pageSize })
  const pass = passOf(place, changes, pageSize, nonce, engine.randomId)
  if (pageSize > 0) noteReader(engine, collection, client, pass.next.from.base || pass.next.from.start)
  // A page of counts moves no token, so that it cannot tell what was told.
  const told = place.token?.about ?? ''
  const parts = pageSize > 0 ? { about, told } : { about: { digest: told }, told }
  return new Prepared(writePage({ changes, pass, ...parts, outcomes, moreOutcomes: outcomes.length === OUTCOMES }))
}

async function read({ store }: Engine, ...[collection, options]: Parameters<typeof store.collections.changes>) {
  const changes = await store.collections.changes(collection, options)
  if (changes !== undefined) return changes
  await store.collections.open(collection)
  const opened = await store.collections.changes(collection, options)
  if (opened !== undefined) return opened
  throw new SyncError('store_unavailable', 'The collection was dropped while it was read. Ask again.')
}

/** A reset of the client changes one of the two. */
const nonceOf = ({ nonces }: ClientRecord, source: string): string => `${nonces['*'] ?? ''}.${nonces[source] ?? ''}`

const bulkOnly = (source: string): SyncError =>
  new SyncError('bulk_only', `${source} is bulk_only and answers no pulls. Ask for it with POST /rc/v1/app/bulk_data.`)
