import { DEFAULT_PAGE_SIZE, SyncError } from '@godwit/protocol'
import type { Changes, CollectionId, DevicePage, DevicePageOptions } from '@godwit/store'
import type { Engine } from '../engine.js'
import { type FilledRows, fillRows } from '../pass-through/fill-rows.js'
import { checkPassThroughOption } from '../pass-through/refuse-content.js'
import { type QueryRun, queryIfDue, type WaitingCaller } from '../query/request-query.js'
import { isUnqueried } from '../sources/first-query.js'
import { collectionOf } from '../sources/partition-of.js'
import type { Source } from '../sources/source.js'
import { type SourceDescription, sourceDescriptionOf } from '../sources/source-descriptions.js'
import { isUnavailable } from '../store-health.js'
import { TextReply } from '../text-reply.js'
import { type ClientRecord, nonceOf } from '../users/client-record.js'
import { positionOfToken, startPosition } from '../users/confirmed-positions.js'
import { type Pass, type PullPosition, passOf, pullPositionOf } from './pass.js'
import type { ReaderContext, ReaderProgress } from './reader-recorder.js'
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
  /** Who waits for the page. Absent: it is made in any case. */
  readonly caller?: WaitingCaller
  /** The device was told that something changed. Default false. */
  readonly isHinted?: boolean
  /** The model on the device is pass_through: nothing of it may be kept here. Default false. */
  readonly passThrough?: boolean
}

/** Outcomes a page carries at most. */
const OUTCOMES = 1000

/** One page: partition → acknowledge → read → query if due → describe → compose. A token may be used twice with the same result. */
export async function pull(engine: Engine, request: PullRequest): Promise<TextReply> {
  const asked = await resolvePull(engine, request)
  await skipIfUnwritable(engine, asked.source.name, () => engine.readerRecorder.acknowledge(asked, asked.acknowledged))
  let begun = performance.now()
  let read = await readPage(engine, asked, { opens: true })
  const begins = asked.position.begins || read.fromZero
  if (await queryForPull(engine, asked, { begins, read })) {
    begun = performance.now()
    read = await readPage(engine, asked, { opens: false })
  }
  const filled = await fillPage(engine, asked, read)
  const description = await describeSource(engine, asked, begins)
  const page = composePage(engine, asked, { description, filled, outcomePage: read.outcomePage })
  engine.metrics.pageRows.observe(filled.changes.rows.length)
  engine.metrics.pull.observe((performance.now() - begun) / 1000)
  return new TextReply(page)
}

/** A request whose source and partition are known. */
interface PullContext extends QueryRun, ReaderContext {
  readonly caller: WaitingCaller | undefined
  readonly nonce: string
  readonly position: PullPosition
  readonly acknowledged: number
  readonly pageSize: number
}

async function resolvePull(engine: Engine, request: PullRequest): Promise<PullContext> {
  const { user, client, token, parameters: given = {}, acknowledged = 0, pageSize = DEFAULT_PAGE_SIZE } = request
  const source = await engine.sources.learn(request.source, request.user)
  const parameters = acceptedParameters(source, given)
  checkPassThroughOption(source, request.passThrough ?? false)
  if (source.syncType === 'bulk_only') throw bulkOnlyError(source.name)
  const nonce = nonceOf(client, source.name)
  const position = pullPositionOf(token, nonce)
  const collection = collectionOf(source, user)
  const recorded = engine.readerRecorder.of(collection, client.id)
  const { caller, isHinted = false } = request
  const run = { source, collection, user, parameters, caller, isHinted, by: client.id }
  return { ...run, client, recorded, nonce, position, acknowledged, pageSize }
}

/** Rows after the device's position, and the outcomes that it has not heard: of one moment, so that no outcome tells of a version that the rows don't know. */
async function readPage(
  engine: Engine,
  { collection, client, user, position, acknowledged, pageSize }: PullContext,
  { opens }: { readonly opens: boolean },
) {
  const outcomes = { after: acknowledged, limit: OUTCOMES }
  const options = { from: position.from, limit: pageSize, client: client.id, outcomes }
  const read = () => engine.store.collections.page(collection, options)
  const page =
    (await engine.largePages.run(user, pageSize, read)) ??
    (opens ? await openAndRead(engine, collection, options) : undefined)
  if (page === undefined)
    throw new SyncError('store_unavailable', 'The collection was dropped while it was read. Ask again.')
  engine.eventLoopTurns.resume(user)
  if (acknowledged > page.outcomePage.last && position.from?.epoch === page.head.epoch) throw clientForkedError()
  return page
}

/** Runs the query where it is due; false: it was not. A pass that waits for what the source did not give goes on with what that brings. */
async function queryForPull(
  engine: Engine,
  asked: PullContext,
  { begins, read }: { readonly begins: boolean; readonly read: Changes },
): Promise<boolean> {
  const { head } = read
  const wasCut = asked.source.passThrough && head.asked > head.served
  if (!begins && !wasCut && !isHeldOpen(asked, read)) return false
  const run = () => queryIfDue(engine, { ...asked, client: asked.client.id }, head)
  return (await skipIfUnwritable(engine, asked.source.name, run)) === true
}

/** True while a pass from zero must not end, since the first query is still to come: the device would remove all rows that it has. */
const isHeldOpen = ({ source, position }: PullContext, { head, fromZero, more }: Changes): boolean =>
  !more && (fromZero || position.from?.base === 0) && isUnqueried(source, head)

const describeSource = (
  engine: Engine,
  { source, collection, user }: PullContext,
  begins: boolean,
): Promise<SourceDescription> => sourceDescriptionOf(engine, source, { collection, user, begins })

async function fillPage(engine: Engine, asked: PullContext, changes: Changes): Promise<FilledRows> {
  const filled = asked.source.passThrough ? await fillRows(engine, asked, changes) : { changes, isCut: false }
  return filled.isCut || !isHeldOpen(asked, changes)
    ? filled
    : { changes: { ...filled.changes, more: true }, isCut: true }
}

interface PageContents {
  readonly description: SourceDescription
  readonly filled: FilledRows
  readonly outcomePage: DevicePage['outcomePage']
}

function composePage(engine: Engine, asked: PullContext, { description, filled, outcomePage }: PageContents): string {
  const { nonce, position, pageSize } = asked
  const { changes, isCut } = filled
  const pass = passOf(position, changes, isCut ? changes.rows.length : pageSize, nonce, engine.randomId)
  if (pageSize > 0) engine.readerRecorder.write(asked, readerProgress(asked, changes, pass))
  const knownDigest = position.token?.about ?? ''
  // A page of counts moves no token, so it cannot record which description the device has.
  const shown = pageSize > 0 ? description : { digest: knownDigest }
  return writePage({ changes, pass, description: shown, knownDigest, outcomePage, isCut })
}

/** The progress that the request's token confirms: the page that is sent now may be lost. */
function readerProgress(
  { nonce, position: { token } }: PullContext,
  { fromZero, head }: Changes,
  { next }: Pass,
): ReaderProgress {
  if (token === undefined || fromZero)
    return { base: next.from.base || next.from.start, position: startPosition(nonce, head.epoch) }
  return { base: token.from.base || token.from.start, position: positionOfToken(nonce, token.from, token.over) }
}

/** Only before its query: what was dropped during that, as with its user, stays dropped. */
async function openAndRead(
  { store: { collections } }: Engine,
  collection: CollectionId,
  options: DevicePageOptions,
): Promise<DevicePage | undefined> {
  await collections.open(collection)
  return collections.page(collection, options)
}

/** Does what a pull needs the store to write for; returns undefined where the store takes no write, as on a full disk: a pull goes on with what is there. */
async function skipIfUnwritable<Result>(
  { log }: Pick<Engine, 'log'>,
  source: string,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!isUnavailable(error)) throw error
    log.warn({ source, error: error.message }, 'the store takes no writes: a pull was answered with what is there')
    return undefined
  }
}

/** What an app gave to its sync, by name. */
interface QueryParameters {
  readonly [name: string]: string
}

const NO_PARAMETERS: QueryParameters = {}

/** The parameters that the source takes; others are ignored. */
function acceptedParameters(
  { queryParameters }: Pick<Source, 'queryParameters'>,
  given: QueryParameters,
): QueryParameters {
  if (queryParameters === true) return given
  if (queryParameters === false) return NO_PARAMETERS
  return Object.fromEntries(
    queryParameters.filter(name => Object.hasOwn(given, name)).map(name => [name, given[name] ?? '']),
  )
}

/** The store has lost outcomes that the device applied. */
const clientForkedError = (): SyncError =>
  new SyncError(
    'client_forked',
    'The journal does not know outcomes that this client acknowledges. Take a new client id and begin again.',
  )

const bulkOnlyError = (source: string): SyncError =>
  new SyncError('bulk_only', `${source} is bulk_only and answers no pulls. Ask for it with POST /rc/v1/app/bulk_data.`)
