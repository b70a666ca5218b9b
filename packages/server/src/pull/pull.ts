import { DEFAULT_PAGE_SIZE, SyncError } from '@godwit/protocol'
import type { Engine } from '../engine.js'
import { fillRows } from '../pass-through/fill-rows.js'
import { refuseKeeping } from '../pass-through/refuse-content.js'
import { Prepared } from '../prepared.js'
import { type QueryRun, queryIfDue } from '../query/query-if-due.js'
import { aboutOf } from '../sources/about.js'
import { collectionOf } from '../sources/partition-of.js'
import { type ClientRecord, nonceOf } from '../users/client-record.js'
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
  /** The model on the device is pass_through: nothing of it may be kept here. Default false. */
  readonly passThrough?: boolean
}

/** Outcomes a page carries at most. */
const OUTCOMES = 1000

/** One page: partition → query if due → acknowledge → outcomes → changes → page. A token may be used twice with the same result. */
export async function pull(engine: Engine, request: PullRequest): Promise<Prepared> {
  const { client, user, acknowledged = 0, pageSize = DEFAULT_PAGE_SIZE } = request
  const source = await engine.sources.learn(request.source)
  refuseKeeping(source, request.passThrough ?? false)
  if (source.syncType === 'bulk_only') throw bulkOnly(source.name)
  const collection = collectionOf(source, user)
  const nonce = nonceOf(client, source.name)
  const place = placeOf(request.token, nonce)

  const asked: QueryRun = { source, collection, user, parameters: request.parameters ?? {} }

  if (place.begins || (await wasCut(engine, asked))) await queryIfDue(engine, asked)
  const about = await aboutOf(engine, source, { collection, user, begins: place.begins })
  await noteAcknowledged(engine, collection, client.id, acknowledged)
  const begun = performance.now()
  // Not later than the rows: an outcome then never tells of a version that the rows of this page don't know.
  const after = { after: acknowledged, limit: OUTCOMES }
  const { outcomes, last } = await engine.store.journal.outcomes(collection, client.id, after)
  const found = await read(engine, collection, { from: place.from, limit: pageSize })
  if (acknowledged > last && place.from?.epoch === found.head.epoch) throw forked()
  const { changes, isCut } = source.passThrough
    ? await fillRows(engine, asked, found)
    : { changes: found, isCut: false }
  const limit = isCut ? changes.rows.length : pageSize
  const pass = passOf(place, changes, limit, nonce, engine.randomId)
  if (pageSize > 0) noteReader(engine, collection, client, pass.next.from.base || pass.next.from.start)
  // A page of counts moves no token, so that it cannot tell what was told.
  const told = place.token?.about ?? ''
  const parts = pageSize > 0 ? { about, told } : { about: { digest: told }, told }
  const more = { outcomes, moreOutcomes: outcomes.length === OUTCOMES, isCut }
  const page = writePage({ changes, pass, ...parts, ...more })
  engine.metrics.pageRows.observe(changes.rows.length)
  engine.metrics.pull.observe((performance.now() - begun) / 1000)
  return new Prepared(page)
}

/** A page that ended before what the source did not give asked for a query: the pass goes on with what that brings. */
async function wasCut({ store }: Engine, { source, collection }: QueryRun): Promise<boolean> {
  if (!source.passThrough) return false
  const head = await store.collections.head(collection)
  return head !== undefined && head.asked > head.served
}

async function read({ store }: Engine, ...[collection, options]: Parameters<typeof store.collections.changes>) {
  const changes = await store.collections.changes(collection, options)
  if (changes !== undefined) return changes
  await store.collections.open(collection)
  const opened = await store.collections.changes(collection, options)
  if (opened !== undefined) return opened
  throw new SyncError('store_unavailable', 'The collection was dropped while it was read. Ask again.')
}

/** The store has lost outcomes that the device applied. */
const forked = (): SyncError =>
  new SyncError(
    'client_forked',
    'The journal does not know outcomes that this client acknowledges. Take a new client id and begin anew.',
  )

const bulkOnly = (source: string): SyncError =>
  new SyncError('bulk_only', `${source} is bulk_only and answers no pulls. Ask for it with POST /rc/v1/app/bulk_data.`)
