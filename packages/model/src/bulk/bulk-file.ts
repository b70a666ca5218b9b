import type { BulkData, BulkRequest } from '@godwit/protocol'
import type { OpenModel } from '../database/open-models.js'
import { download } from '../http/download.js'
import { withFileErrors } from '../http/failures.js'
import type { DeviceFiles } from '../platform/device-files.js'
import { oneAtATime } from '../run/one-at-a-time.js'
import type { SyncContext } from '../run/sync-context.js'
import { type ImportResult, importBulk } from './import-bulk.js'

/** A file of bulk data to load. */
export interface BulkFileRequest {
  readonly partitionType: BulkRequest['partition_type']
  readonly models: readonly OpenModel[]
  readonly signal: AbortSignal
  /** False: returns at once if the server still has to build the file. Default true. */
  readonly waits?: boolean
  /** Objects that earlier pages of the run delivered. Default 0. */
  readonly delivered?: number
}

/** The server's answer, and what was imported: nothing unless its status is `ready`. */
export interface LoadedBulkFile {
  readonly answer: BulkData
  readonly imported: readonly ImportResult[]
}

/** The parts that loading a file uses. */
export type BulkLoader = SyncContext & { readonly files: DeviceFiles }

const FOLDER = 'bulk'
const FIRST_POLL_MS = 100
const MAX_POLL_MS = 2000
/** An import blocks the thread. This pause lets the process notice connections that the server closed meanwhile. */
const AFTER_IMPORT_MS = 20

/** RECIPE of a file: request → wait until it is made → download → import what is not pending. One at a time: there is one folder. */
export async function loadBulkFile(loader: BulkLoader, request: BulkFileRequest): Promise<LoadedBulkFile> {
  const answer = await requestFile(loader, request)
  if (answer.status !== 'ready') return { answer, imported: [] }
  const pending = new Set(answer.pending ?? [])
  const models = request.models.filter(({ name }) => !pending.has(name))
  const imported = await oneAtATime(loader.fetching, FOLDER, () =>
    fetchAndImport(loader, { ...request, models }, answer),
  )
  await new Promise(resolve => setTimeout(resolve, AFTER_IMPORT_MS))
  return { answer, imported }
}

/** Requests the file, repeatedly until it is built if the request waits; the ticket says since when. */
async function requestFile(
  { transport, session, events }: BulkLoader,
  { partitionType, models, signal, waits = true }: BulkFileRequest,
): Promise<BulkData> {
  const sources = models.map(({ name }) => name)
  let ticket: string | undefined
  for (let wait = FIRST_POLL_MS; ; wait = Math.min(MAX_POLL_MS, wait * 2)) {
    const asking = { session: session.required(), client: session.clientId, signal }
    const answer = await transport.bulkData(
      { partition_type: partitionType, sources, ...(ticket !== undefined && { ticket }) },
      asking,
    )
    ticket = answer.ticket
    events.emit({ kind: 'bulk', sources, status: answer.status, size: answer.size ?? 0 })
    if (answer.status !== 'wait' || !waits || signal.aborted) return answer
    await new Promise(resolve => setTimeout(resolve, wait))
  }
}

/** Downloads the file, resuming an earlier attempt, and removes it after the import. */
async function fetchAndImport(
  loader: BulkLoader,
  { models, signal, delivered = 0 }: BulkFileRequest,
  { url = '', sha256 = '', tokens = {} }: BulkData,
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
    return await importBulk(loader, { file, sources, signal, delivered })
  } finally {
    await files.remove(file)
    drive.delete(file)
    if (!signal.aborted) await files.remove(zipped)
  }
}
