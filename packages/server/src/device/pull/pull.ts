import { DEFAULT_PAGE_SIZE, SyncError } from '@godwit/protocol'
import type { Source } from '@godwit/source'
import {
  type Changes,
  type CollectionId,
  type DevicePage,
  type DevicePageOptions,
  type Head,
  READ_BYTES,
} from '@godwit/store'
import type { ReplyLease } from '../../accounts/quota/reply-budget.js'
import { type ClientRecord, nonceOf } from '../../accounts/users/client-record.js'
import { startPosition } from '../../accounts/users/confirmed-positions.js'
import { openCollection } from '../../accounts/users/open-collection.js'
import { type FilledRows, fillRows } from '../../backend/pass-through/fill-rows.js'
import { checkPassThroughOption } from '../../backend/pass-through/refuse-content.js'
import { isDue, type QueryRun, queryIfDue, type WaitingCaller } from '../../backend/query/request-query.js'
import { isUnqueried } from '../../backend/sources/first-query.js'
import { collectionOf } from '../../backend/sources/partition-of.js'
import { type SourceDescription, sourceDescriptionOf } from '../../backend/sources/source-descriptions.js'
import { isUnavailable } from '../../base/store-health.js'
import { TextReply } from '../../base/text-reply.js'
import type { DeviceEngine } from '../device-engine.js'
import { confirmedBy } from './confirmed-by.js'
import { type Pass, type PullPosition, passOf, pullPositionOf } from './pass.js'
import type { ReaderContext, ReaderProgress } from './reader-recorder.js'
import { sentPass } from './sent-pass.js'
import { writePage } from './write-page.js'

/** A device's pull of one source. */
export interface PullRequest {
  readonly source: string
  /** The login. */
  readonly user: string
  readonly client: ClientRecord
  readonly token: string | undefined
  /** The token of the last page that the device has stored. Absent: `token`. */
  readonly storedToken?: string | undefined
  readonly pageSize: number | undefined
  readonly acknowledged: number | undefined
  /** The query parameters of the app's sync. With any, a pull that starts a pass queries at once. Default none. */
  readonly parameters?: { readonly [name: string]: string }
  /** The caller that waits for the page. Absent: the work is never abandoned. */
  readonly caller?: WaitingCaller
  /** The bytes that the page may use. Absent: it is not limited. */
  readonly lease?: ReplyLease
  /** True if the pull follows a change event. Default false. */
  readonly isHinted?: boolean
  /** True if the device's model is pass_through, so that no content may be stored here. Default false. */
  readonly passThrough?: boolean
}

/** The number of outcomes in a page at most. */
const OUTCOMES = 1000

/**
 * RECIPE of a pull: partition → read → acknowledge → query if due → describe → compose. A token may be used twice with the same result.
 *
 * The rows are read before it is known whether a query is due, because the position decides that: only a pull that begins a pass runs one, so that a pass
 * of many pages is of one version. A query that ran makes the page stale, and it is read again.
 *
 * Example: a device with the token of version 7 pulls, and the last query is 400 seconds old with a `pollInterval` of 300. The pull begins a pass, so the
 * query runs and writes version 8; the second read returns the two rows that it changed, with a token of version 8. The next pull, 5 seconds later,
 * reads once and returns no rows.
 */
export async function pull(engine: DeviceEngine, request: PullRequest): Promise<TextReply> {
  const source = await engine.sources.learn(request.source, request.user)
  const collection = collectionOf(source, request.user)
  return new TextReply((await pullPage(engine, resolvePull(engine, request, { source, collection }))).text)
}

/** A page as text, with what it was read with. */
export interface ComposedPage {
  readonly text: string
  readonly head: Head
  /** True if it has rows or outcomes. */
  readonly hasNews: boolean
}

/** Returns one page, after the query if it is due. */
export async function pullPage(engine: DeviceEngine, pulling: PullContext): Promise<ComposedPage> {
  let begun = performance.now()
  let read = await readPage(engine, pulling, { opens: true })
  await acknowledge(engine, pulling, read)
  const begins = pulling.position.begins || read.fromZero
  if (await queryForPull(engine, pulling, { begins, read })) {
    begun = performance.now()
    read = await readPage(engine, pulling, { opens: false })
  }
  return finishPage(engine, pulling, { read, begins, begun })
}

/** Returns one page; undefined if a query is due, which the page would wait for. */
export async function pullPageNow(engine: DeviceEngine, pulling: PullContext): Promise<ComposedPage | undefined> {
  const begun = performance.now()
  const read = await readPage(engine, pulling, { opens: true })
  await acknowledge(engine, pulling, read)
  const begins = pulling.position.begins || read.fromZero
  const { source, isHinted } = pulling
  if (mayQuery(pulling, { begins, read }) && isDue(source, read.head, isHinted)) return undefined
  return finishPage(engine, pulling, { read, begins, begun })
}

interface ReadForPage {
  readonly read: DevicePage
  readonly begins: boolean
  /** As a time of `performance.now()`. */
  readonly begun: number
}

async function finishPage(
  engine: DeviceEngine,
  pulling: PullContext,
  { read, begins, begun }: ReadForPage,
): Promise<ComposedPage> {
  const filled = await fillPage(engine, pulling, read)
  const description = await describeSource(engine, pulling, begins)
  const text = composePage(engine, pulling, { description, filled, outcomePage: read.outcomePage })
  const { rows } = filled.changes
  engine.metrics.pageRows.observe(rows.length)
  engine.metrics.pull.observe((performance.now() - begun) / 1000)
  return { text, head: read.head, hasNews: rows.length > 0 || read.outcomePage.outcomes.length > 0 }
}

/** A pull with its source and partition resolved. */
export interface PullContext extends QueryRun, ReaderContext {
  readonly caller: WaitingCaller | undefined
  readonly lease: ReplyLease | undefined
  readonly nonce: string
  readonly position: PullPosition
  readonly storedToken: string | undefined
  readonly acknowledged: number
  readonly pageSize: number
}

/** Returns the context of a pull of a collection. Throws `value_not_allowed` and `bulk_only`. */
export function resolvePull(
  engine: DeviceEngine,
  request: PullRequest,
  { source, collection }: { readonly source: Source; readonly collection: CollectionId },
): PullContext {
  const { user, client, token, storedToken, parameters: given = {}, acknowledged = 0 } = request
  const { pageSize = DEFAULT_PAGE_SIZE } = request
  const parameters = acceptedParameters(source, given)
  checkPassThroughOption(source, request.passThrough ?? false)
  if (source.syncType === 'bulk_only') throw bulkOnlyError(source.name)
  const nonce = nonceOf(client, source.name)
  const position = pullPositionOf(token, nonce)
  const recorded = engine.readerRecorder.of(collection, client.id)
  const { caller, lease, isHinted = false } = request
  const run = { source, collection, user, parameters, caller, lease, isHinted, by: client.id }
  return { ...run, client, recorded, nonce, position, storedToken, acknowledged, pageSize }
}

/** Reads the rows after the device's position and its unacknowledged outcomes atomically, so that no outcome has a version that the rows lack. */
async function readPage(
  engine: DeviceEngine,
  { collection, client, user, position, acknowledged, pageSize, lease, caller }: PullContext,
  { opens }: { readonly opens: boolean },
) {
  const outcomes = { after: acknowledged, limit: OUTCOMES }
  const options = { from: position.from, limit: pageSize, client: client.id, outcomes }
  const read = () => engine.store.collections.page(collection, options)
  await lease?.take(READ_BYTES, caller)
  const page =
    (await engine.largePages.run(user, pageSize, read)) ??
    (opens ? await openAndRead(engine, user, collection, options) : undefined)
  if (page === undefined)
    throw new SyncError('store_unavailable', 'The collection was dropped while it was read. Request it again.')
  // From here on a backend may be waited for: what other pages may use must not depend on it.
  lease?.resize(sizeOf(page))
  engine.eventLoopTurns.resume(user)
  if (acknowledged > page.outcomePage.last && position.from?.epoch === page.head.epoch) throw clientForkedError()
  return page
}

/** Returns about how many bytes the rows of a page use. */
const sizeOf = ({ rows }: Changes): number => rows.reduce((sum, { text }) => sum + (text?.length ?? 0), 0)

/** Records which outcomes the device has applied, unless they are of another epoch, whose outcomes have other numbers. */
async function acknowledge(engine: DeviceEngine, pulling: PullContext, { head }: Changes): Promise<void> {
  if (pulling.position.from?.epoch !== head.epoch) return
  await skipIfUnwritable(engine, pulling.source.name, () =>
    engine.readerRecorder.acknowledge(pulling, pulling.acknowledged),
  )
}

/** Runs the query if it is due; returns false if it is not. A pass that was cut short continues with what the query brings. */
async function queryForPull(
  engine: DeviceEngine,
  pulling: PullContext,
  { begins, read }: { readonly begins: boolean; readonly read: Changes },
): Promise<boolean> {
  const { head } = read
  if (!mayQuery(pulling, { begins, read })) return false
  // A query may last for minutes, in which other pages are sent.
  pulling.lease?.resize(0)
  const run = () => queryIfDue(engine, { ...pulling, client: pulling.client.id }, head)
  return (await skipIfUnwritable(engine, pulling.source.name, run)) === true
}

/** True for a page before which a query may run: one that starts a pass, or continues one that was cut short. */
function mayQuery(
  pulling: PullContext,
  { begins, read }: { readonly begins: boolean; readonly read: Changes },
): boolean {
  const wasCut = pulling.source.passThrough && read.head.queriesRequested > read.head.queriesServed
  return begins || wasCut || staysOpen(pulling, read)
}

/** True while a pass from zero must not end because the first query is still to come: its end would remove the device's rows. */
const staysOpen = ({ source, position }: PullContext, { head, fromZero, more }: Changes): boolean =>
  !more && (fromZero || position.from?.base === 0) && isUnqueried(source, head)

const describeSource = (
  engine: DeviceEngine,
  { source, collection, user }: PullContext,
  begins: boolean,
): Promise<SourceDescription> => sourceDescriptionOf(engine, source, { collection, user, begins })

async function fillPage(engine: DeviceEngine, pulling: PullContext, changes: Changes): Promise<FilledRows> {
  const filled = pulling.source.passThrough ? await fillRows(engine, pulling, changes) : { changes, isCut: false }
  return filled.isCut || !staysOpen(pulling, changes)
    ? filled
    : { changes: { ...filled.changes, more: true }, isCut: true }
}

interface PageContents {
  readonly description: SourceDescription
  readonly filled: FilledRows
  readonly outcomePage: DevicePage['outcomePage']
}

function composePage(
  engine: DeviceEngine,
  pulling: PullContext,
  { description, filled, outcomePage }: PageContents,
): string {
  const { nonce, position, pageSize } = pulling
  const { changes, isCut } = filled
  const pass = passOf(position, changes, isCut ? changes.rows.length : pageSize, nonce, engine.randomId)
  if (pageSize > 0)
    engine.readerRecorder.write(pulling, {
      ...readerProgress(pulling, changes, pass),
      sent: sentPass(pulling, changes, pass, engine.clock()),
    })
  const knownDigest = position.token?.about ?? ''
  // A page of counts changes no token, so it cannot record which description the device has.
  const sentDescription = pageSize > 0 ? description : { digest: knownDigest }
  const staleSince = engine.staleSources.since(pulling.source.name)
  return writePage({ changes, pass, description: sentDescription, knownDigest, outcomePage, isCut, staleSince })
}

/** Returns the progress that the request confirms by its tokens, since this page may be lost. */
function readerProgress(
  { nonce, position: { token }, storedToken }: PullContext,
  { fromZero, head }: Changes,
  { next }: Pass,
): ReaderProgress {
  if (token === undefined || fromZero)
    return { base: next.from.base || next.from.start, position: startPosition(nonce, head.epoch) }
  return { base: token.from.base || token.from.start, position: confirmedBy(token, storedToken) }
}

/** Opens the collection only before its query, so that one dropped during the query, as with its user, is not recreated. */
async function openAndRead(
  { store }: DeviceEngine,
  user: string,
  collection: CollectionId,
  options: DevicePageOptions,
): Promise<DevicePage | undefined> {
  await openCollection(store, user, collection)
  return store.collections.page(collection, options)
}

/** Runs work that writes to the store. Returns undefined if the store accepts no writes, as on a full disk: the pull continues with what is there. */
async function skipIfUnwritable<Result>(
  { log }: Pick<DeviceEngine, 'log'>,
  source: string,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!isUnavailable(error)) throw error
    log.warn({ source, error: error.message }, 'the store rejects writes: a pull was served with existing data')
    return undefined
  }
}

/** The query parameters of an app's sync, by name. */
interface QueryParameters {
  readonly [name: string]: string
}

const NO_PARAMETERS: QueryParameters = {}

/** Returns the parameters that the source accepts, without the others. */
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

/** The error if the store lost outcomes that the device applied. */
const clientForkedError = (): SyncError =>
  new SyncError(
    'client_forked',
    'The journal does not have the outcomes that this client acknowledges. Take a new client id and start again.',
  )

const bulkOnlyError = (source: string): SyncError =>
  new SyncError(
    'bulk_only',
    `${source} is bulk_only and does not support pulls. Request it with POST /rc/v1/app/bulk_data.`,
  )
