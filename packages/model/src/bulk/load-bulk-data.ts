import type { BulkData } from '@godwit/protocol'
import { fetchBlobs } from '../blobs/fetch-blobs.js'
import type { OpenModel } from '../database/open-models.js'
import { objectEvents } from '../events/sdk-events.js'
import { ObjectChanges } from '../live/object-changes.js'
import { ServerRows } from '../records/store-row.js'
import { claimClient, isClientVoid, MAX_RECOVERIES, renewClient } from '../run/client.js'
import type { SourceFailure } from '../run/source-failure.js'
import { type BulkFileRequest, type BulkLoader, loadBulkFile } from './bulk-file.js'
import type { ImportResult } from './import-bulk.js'

/** The result of bulk data for one source, or why there is none. */
export interface BulkSource {
  readonly source: string
  /** Number of its objects in the file. */
  readonly rows: number
  /** True if nothing was imported because the device already has the file's content, or newer, or has had newer rows, which the sync then fetches. */
  readonly newer?: true
  /** True if nothing was imported because the source's first query has not succeeded yet. Existing rows stay. */
  readonly pending?: true
  /** Why the source's last query failed. */
  readonly error?: SourceFailure
}

/** What was loaded, and the total size of the files in bytes. */
export interface LoadedBulkData {
  readonly sources: readonly BulkSource[]
  readonly bytes: number
}

/** Loads all partitions, with a new client if the server does not know this one any more, as a pull does. */
export async function loadBulkData(loader: BulkLoader, loading: BulkFileRequest): Promise<LoadedBulkData> {
  for (let recoveries = 0; ; recoveries++) {
    const { clientId } = loader.session
    try {
      return await load(loader, loading)
    } catch (error) {
      if (recoveries === MAX_RECOVERIES || !isClientVoid(error)) throw error
      await renewClient(loader, clientId, loading)
    }
  }
}

async function load(loader: BulkLoader, request: BulkFileRequest): Promise<LoadedBulkData> {
  const { models } = request
  for (const model of models) claimClient(loader, model)
  const { answer, imported } = await loadBulkFile(loader, request)
  if (answer.status === 'wait') return { sources: models.map(({ name }) => ({ source: name, rows: 0 })), bytes: 0 }
  const pending = new Set(answer.pending ?? [])
  const sources =
    answer.status === 'ready'
      ? await finishImports(loader, imported, request)
      : models.filter(({ name }) => !pending.has(name)).map(model => nothing(loader, model))
  const awaited = models.flatMap(({ name }) =>
    pending.has(name) ? [{ source: name, rows: 0, pending: true } as const] : [],
  )
  return { sources: withErrors(loader, [...sources, ...awaited], answer), bytes: answer.size ?? 0 }
}

/** Adds failures of backends to the summary, and reports them as a pull does. */
function withErrors(
  { events }: BulkLoader,
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

/** Reports the imported sources, and downloads the blobs that their rows name. */
async function finishImports(
  loader: BulkLoader,
  imported: readonly ImportResult[],
  { signal }: Pick<BulkFileRequest, 'signal'>,
): Promise<readonly BulkSource[]> {
  for (const { model, outdated } of imported) {
    if (signal.aborted) break
    if (outdated) continue
    const { total } = model.state.get()
    loader.events.emit({ kind: 'source', source: model.name, received: total, total })
    await fetchBlobs(loader, model, { signal, query: {}, received: 0, sent: 0, refusedAgain: 0 })
  }
  return imported.map(({ model, rows, newer }) => ({ source: model.name, rows, ...(newer && { newer }) }))
}

/** The server has no objects: removes those of a model that pulls do not deliver. */
function nothing({ database, models, events, watchesObjects }: BulkLoader, model: OpenModel): BulkSource {
  const changes = watchesObjects() ? new ObjectChanges() : undefined
  if (model.isBulkOnly)
    database.transaction(() => {
      const known = model.state.get()
      models.live.touchAll(model.name)
      const rows = new ServerRows(model, { ...known, pass: known.pass + 1, running: true, resync: true }, changes)
      rows.removeOtherPasses()
      model.state.set({ ...known, pass: known.pass + 1, total: 0, checksum: rows.checksum })
    })
  for (const event of changes ? objectEvents(model.name, changes) : []) events.emit(event)
  return { source: model.name, rows: 0 }
}
