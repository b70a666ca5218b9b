import { type BulkData, type BulkRequest, SyncError } from '@godwit/protocol'
import type { OpenModel } from '../database/models.js'
import type { DeviceFiles } from '../files/device-files.js'
import { ObjectChanges } from '../live/object-changes.js'
import { ServerRows } from '../records/store-row.js'
import { download } from './download.js'
import { objectEvents } from './events.js'
import { withFileErrors } from './failures.js'
import { fetchBlobs } from './fetch-blobs.js'
import { type ImportResult, importBulk } from './import-bulk.js'
import { runExclusively } from './one-at-a-time.js'
import { endedBy, ensureClient, type SourceFailure, type SyncSummary, sync } from './sync.js'
import type { SyncContext } from './sync-context.js'
import { checkRoom, claimClient, isBulkOnly, isClientVoid, RECOVERIES, renewClient } from './sync-source.js'

/** The result of `bulkSync`. */
export interface BulkSummary {
  readonly sources: readonly BulkSource[]
  /** Total size of the files. */
  readonly bytes: number
  /** The sync that followed, of models that also sync by pulls or have something to send. */
  readonly sync: SyncSummary
}

/** The result of bulk data for one source, or why there is none. */
export interface BulkSource {
  readonly source: string
  /** Number of its objects in the file. */
  readonly rows: number
  /** True if nothing was imported because the device already has the file's content, or newer. */
  readonly newer?: true
  /** True if nothing was imported because the source's first query has not succeeded yet. Existing rows stay. */
  readonly pending?: true
  /** Why the source's last query failed. */
  readonly error?: SourceFailure
}

const FOLDER = 'bulk'
const FIRST_WAIT = 100
const LONGEST_WAIT = 2000
/** An import blocks the thread. This pause lets the process notice connections that the server closed meanwhile. */
const AFTER_IMPORT = 20

/** RECIPE of bulk data: client → for each partition request → download → import → then sync later changes. */
export async function bulkSync(
  context: SyncContext,
  models: readonly OpenModel[],
  signal: AbortSignal,
): Promise<BulkSummary> {
  const files = filesOf(context)
  await checkRoom(context)
  const token = context.session.required()
  await ensureClient(context, token, signal)
  const sources: BulkSource[] = []
  let bytes = 0
  for (const partition of ['app', 'user'] as const) {
    const own = models.filter(model => partitionOnServer(model) === partition)
    if (own.length === 0 || signal.aborted) continue
    const names = own.map(({ name }) => name)
    const loaded = await runExclusively(context.busy, names, () =>
      loadWithClientRecovery({ ...context, files }, { partition, models: own, signal }),
    ).catch(cause => {
      throw endedBy(context, token, cause)
    })
    sources.push(...loaded.sources)
    bytes += loaded.bytes
  }
  const synced = models.filter(model => !isBulkOnly(model) || model.partition.outbox.hasToSend(model.name))
  return { sources, bytes, sync: await sync(context, { models: synced, query: {}, signal }) }
}

/** The partition on the server: local models belong to the user there. */
const partitionOnServer = ({ definition }: OpenModel): BulkRequest['partition'] =>
  definition.partition === 'app' ? 'app' : 'user'

function filesOf({ files }: SyncContext): DeviceFiles {
  if (files) return files
  throw new SyncError(
    'value_not_allowed',
    'Bulk sync needs file storage, which this platform does not provide. Use sync instead.',
  )
}

interface BulkLoad {
  readonly partition: BulkRequest['partition']
  readonly models: readonly OpenModel[]
  readonly signal: AbortSignal
}

type Loader = SyncContext & { readonly files: DeviceFiles }

/** Loads all partitions, with a new client if the server does not know this one any more, as a pull does. */
async function loadWithClientRecovery(loader: Loader, loading: BulkLoad): Promise<Omit<BulkSummary, 'sync'>> {
  for (let recoveries = 0; ; recoveries++) {
    const { clientId } = loader.session
    try {
      return await load(loader, loading)
    } catch (error) {
      if (recoveries === RECOVERIES || !isClientVoid(error)) throw error
      await renewClient(loader, clientId, loading)
      for (const { name } of loading.models) loader.events.emit({ kind: 'resync', source: name, reason: 'client' })
    }
  }
}

async function load(loader: Loader, { partition, models, signal }: BulkLoad): Promise<Omit<BulkSummary, 'sync'>> {
  for (const model of models) claimClient(loader, model)
  const answer = await waitForFile(loader, { partition, sources: models.map(({ name }) => name) }, signal)
  if (answer.status === 'wait') return { sources: models.map(({ name }) => ({ source: name, rows: 0 })), bytes: 0 }
  const pending = new Set(answer.pending ?? [])
  const given = models.filter(({ name }) => !pending.has(name))
  const sources =
    answer.status === 'ready'
      ? await loadFile(loader, { models: given, answer, signal })
      : given.map(model => nothing(loader, model))
  const awaited = models.flatMap(({ name }) =>
    pending.has(name) ? [{ source: name, rows: 0, pending: true } as const] : [],
  )
  return { sources: withErrors(loader, [...sources, ...awaited], answer), bytes: answer.size ?? 0 }
}

/** Adds failures of backends to the summary, and reports them as a pull does. */
function withErrors(
  { events }: Loader,
  sources: readonly BulkSource[],
  { source_errors: errors = {} }: BulkData,
): readonly BulkSource[] {
  return sources.map(source => {
    const error = Object.hasOwn(errors, source.source) ? errors[source.source] : undefined
    if (error === undefined) return source
    events.emit({ kind: 'error', source: source.source, error })
    return { ...source, error }
  })
}

async function loadFile(
  loader: Loader,
  { models, answer, signal }: Omit<BulkLoad, 'partition'> & { readonly answer: BulkData },
): Promise<readonly BulkSource[]> {
  const imported = await fetchAndImport(loader, models, answer, signal)
  await new Promise(resolve => setTimeout(resolve, AFTER_IMPORT))
  for (const { model } of imported) {
    if (signal.aborted) break
    const { total } = model.partition.sources.get(model.name)
    loader.events.emit({ kind: 'source', source: model.name, received: total, total })
    await fetchBlobs(loader, model, { signal, query: {}, received: 0, sent: 0, refusedAgain: 0 })
  }
  return imported.map(({ model, rows, newer }) => ({ source: model.name, rows, ...(newer && { newer }) }))
}

/** Waits until the file is ready; the ticket tells the server since when. */
async function waitForFile(loader: Loader, request: BulkRequest, signal: AbortSignal): Promise<BulkData> {
  const { transport, session, events } = loader
  let ticket: string | undefined
  for (let wait = FIRST_WAIT; ; wait = Math.min(LONGEST_WAIT, wait * 2)) {
    const asking = { session: session.required(), client: session.clientId, signal }
    const answer = await transport.bulkData({ ...request, ...(ticket !== undefined && { ticket }) }, asking)
    ticket = answer.ticket
    events.emit({ kind: 'bulk', sources: request.sources, status: answer.status, size: answer.size ?? 0 })
    if (answer.status !== 'wait' || signal.aborted) return answer
    await new Promise(resolve => setTimeout(resolve, wait))
  }
}

/** The server has no objects: removes those of a model that pulls do not deliver. */
function nothing({ database, models, events, watchesObjects }: Loader, model: OpenModel): BulkSource {
  const changes = watchesObjects() ? new ObjectChanges() : undefined
  if (isBulkOnly(model))
    database.transaction(() => {
      const { sources } = model.partition
      const known = sources.get(model.name)
      models.live.touchAll(model.name)
      const rows = new ServerRows(model, { ...known, pass: known.pass + 1, running: true, resync: true }, changes)
      rows.removeOtherPasses()
      sources.set(model.name, { ...known, pass: known.pass + 1, total: 0, checksum: rows.checksum })
    })
  for (const event of changes ? objectEvents(model.name, changes) : []) events.emit(event)
  return { source: model.name, rows: 0 }
}

/** Downloads the file, resuming an earlier attempt, and removes it after the import. */
async function fetchAndImport(
  loader: Loader,
  models: readonly OpenModel[],
  { url = '', sha256 = '', tokens = {} }: BulkData,
  signal: AbortSignal,
): Promise<readonly ImportResult[]> {
  const { files, transport, session, drive } = loader
  const zipped = `${FOLDER}/${sha256}.gz`
  const file = `${FOLDER}/${sha256}.sqlite`
  for (const { name } of await files.list(FOLDER)) if (!name.startsWith(zipped)) await files.remove(name)
  const open = (from: number) =>
    transport.bulkFile({ url, hash: sha256, from }, { session: session.required(), signal })
  if (files.size(zipped) === undefined) await download(files, { name: zipped, hash: sha256, open })
  try {
    await withFileErrors(file, () => files.unzip(zipped, file))
    const sources = models.map(model => ({ model, token: tokens[model.name] ?? null }))
    return await importBulk(loader, { file, sources, signal })
  } finally {
    await files.remove(file)
    drive.delete(file)
    if (!signal.aborted) await files.remove(zipped)
  }
}
