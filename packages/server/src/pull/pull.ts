import { DEFAULT_PAGE_SIZE, type Outcome, SyncError } from '@godwit/protocol'
import type { Engine } from '../engine.js'
import { type Filled, fillRows } from '../pass-through/fill-rows.js'
import { refuseKeeping } from '../pass-through/refuse-content.js'
import { Prepared } from '../prepared.js'
import { type QueryRun, queryIfDue } from '../query/query-if-due.js'
import { type About, aboutOf } from '../sources/about.js'
import { collectionOf } from '../sources/partition-of.js'
import { type ClientRecord, nonceOf } from '../users/client-record.js'
import { noteAcknowledged, noteReader } from './notes.js'
import { type Place, passOf, placeOf } from './pass.js'
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
  const asked = await partition(engine, request)
  const about = await query(engine, asked)
  const begun = performance.now()
  await noteAcknowledged(engine, asked.collection, asked.client.id, asked.acknowledged)
  // Not later than the rows: an outcome then never tells of a version that the rows of this page don't know.
  const told = await readOutcomes(engine, asked)
  const filled = await readChanges(engine, asked, told.last)
  const page = composePage(engine, asked, { about, filled, outcomes: told.outcomes })
  engine.metrics.pageRows.observe(filled.changes.rows.length)
  engine.metrics.pull.observe((performance.now() - begun) / 1000)
  return new Prepared(page)
}

/** A request whose source and partition are known. */
interface Asked extends QueryRun {
  readonly client: ClientRecord
  readonly nonce: string
  readonly place: Place
  readonly acknowledged: number
  readonly pageSize: number
}

async function partition(engine: Engine, request: PullRequest): Promise<Asked> {
  const { user, client, token, parameters = {}, acknowledged = 0, pageSize = DEFAULT_PAGE_SIZE } = request
  const source = await engine.sources.learn(request.source)
  refuseKeeping(source, request.passThrough ?? false)
  if (source.syncType === 'bulk_only') throw bulkOnly(source.name)
  const nonce = nonceOf(client, source.name)
  const place = placeOf(token, nonce)
  return {
    source,
    collection: collectionOf(source, user),
    user,
    parameters,
    client,
    nonce,
    place,
    acknowledged,
    pageSize,
  }
}

/** The query, where it is due, and what the source says about itself. */
async function query(engine: Engine, asked: Asked): Promise<About> {
  const { begins } = asked.place
  if (begins || (await wasCut(engine, asked))) await queryIfDue(engine, asked)
  return aboutOf(engine, asked.source, { collection: asked.collection, user: asked.user, begins })
}

const readOutcomes = (engine: Engine, { collection, client, acknowledged }: Asked) =>
  engine.store.journal.outcomes(collection, client.id, { after: acknowledged, limit: OUTCOMES })

/** The rows after the device's place. `last` is the number of the newest outcome that the journal knows of. */
async function readChanges(engine: Engine, asked: Asked, last: number): Promise<Filled> {
  const { source, collection, place, acknowledged, pageSize } = asked
  const changes = await read(engine, collection, { from: place.from, limit: pageSize })
  if (acknowledged > last && place.from?.epoch === changes.head.epoch) throw forked()
  return source.passThrough ? fillRows(engine, asked, changes) : { changes, isCut: false }
}

interface Found {
  readonly about: About
  readonly filled: Filled
  readonly outcomes: readonly Outcome[]
}

function composePage(engine: Engine, asked: Asked, { about, filled, outcomes }: Found): string {
  const { collection, client, nonce, place, pageSize } = asked
  const { changes, isCut } = filled
  const pass = passOf(place, changes, isCut ? changes.rows.length : pageSize, nonce, engine.randomId)
  if (pageSize > 0) noteReader(engine, collection, client, pass.next.from.base || pass.next.from.start)
  const told = place.token?.about ?? ''
  // A page of counts moves no token, so that it cannot tell what was told.
  const says = pageSize > 0 ? about : { digest: told }
  return writePage({ changes, pass, about: says, told, outcomes, moreOutcomes: outcomes.length === OUTCOMES, isCut })
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
