import { isSyncError, type ObjectId, type PartitionParameters } from '@godwit/protocol'
import type { OpenModel } from '../database/open-models.js'
import type { WantedBlob } from '../database/tables/blob-tables.js'
import { fileOf } from '../definition/blob-names.js'
import { isHash } from '../definition/number-text.js'
import { download } from '../http/download.js'
import { stateOf } from '../outbox/object-state.js'
import type { DeviceFiles } from '../platform/device-files.js'
import { oneAtATime } from '../run/one-at-a-time.js'
import { requestIdentity, type SyncContext, type SyncRun } from '../run/sync-context.js'
import { isSweepDue } from './sweep-blobs.js'

const BLOBS_PER_PAGE = 100

/** Downloads blobs that rows from the server name and that are missing. A failure affects neither the rows nor other blobs; a later sync retries it. */
export async function fetchBlobs(context: SyncContext, model: OpenModel, run: SyncRun): Promise<void> {
  if (model.blobs.length === 0 || context.files === undefined) return
  const { wanted } = model.scope.blobs
  const downloaded = new Set<string>()
  if (isSweepDue(context)) requestVanished(context, model, context.files)
  for (let after: WantedBlob | undefined; !run.signal.aborted; ) {
    const page = wanted.list(model.name, { now: Date.parse(context.now()), after, limit: BLOBS_PER_PAGE })
    for (const blob of page) {
      if (run.signal.aborted) return
      const error = await fetchBlob(context, model, run, { blob, come: downloaded })
      if (error?.code === 'offline' && run.signal.aborted) return
      if (error === undefined) context.database.transaction(() => wanted.remove(model.name, blob))
      // The bytes may arrive later, from a device or the backend.
      if (error?.code === 'file_not_found')
        context.database.transaction(() => wanted.putOff(model.name, blob, Date.parse(context.now())))
      if (error) context.events.emit({ kind: 'error', source: model.name, error })
      if (error?.code === 'offline') return
    }
    after = page.at(-1)
    if (page.length < BLOBS_PER_PAGE) return
  }
}

/** Requests blobs again whose files vanished from the device though rows from the server name them. */
function requestVanished(
  { database }: SyncContext,
  { name, blobs, rows, scope: { blobs: tables } }: OpenModel,
  files: DeviceFiles,
): void {
  const vanished = blobs
    .flatMap(blob => rows.having(blob.name))
    .filter(([, hash]) => isHash(hash) && files.size(fileOf(hash)) === undefined)
  if (vanished.length === 0) return
  database.transaction(() => {
    for (const [object, hash] of vanished) tables.wanted.addAgain(name, object, hash)
  })
}

type BlobFailure = { readonly code: string; readonly message: string } | undefined

/** `come`: blobs that this run has downloaded, also for other objects. */
async function fetchBlob(
  context: SyncContext,
  model: OpenModel,
  run: SyncRun,
  { blob, come }: { readonly blob: WantedBlob; readonly come: Set<string> },
): Promise<BlobFailure> {
  const { files, transport, events, fetching } = context
  const { object, hash } = blob
  const name = fileOf(hash)
  const isNews = files?.size(name) === undefined || come.has(hash)
  if (files === undefined || !isNews || !isReferenced(model, blob)) return undefined
  const open = (from: number) =>
    transport.readBlob(
      model.name,
      { object, hash, from, ...parametersFor(model, object) },
      requestIdentity(context, model, run),
    )
  try {
    await oneAtATime(fetching, name, async () => {
      if (files.size(name) === undefined) await download(files, { name, hash, open })
    })
    come.add(hash)
    events.emit({ kind: 'blob', model: model.name, object, path: files.path(name) })
    return undefined
  } catch (error) {
    if (!isSyncError(error)) throw error
    return {
      code: error.code,
      message: `The blob ${hash} of ${model.name} ${object} was not fetched: ${error.message}`,
    }
  }
}

/** A blob of a source with `by` is read from the partition that leads. */
function parametersFor(model: OpenModel, object: ObjectId): { readonly parameters?: PartitionParameters } {
  const copy = model.definition.by && stateOf(model, object).serverRow?.copy
  const parameters = typeof copy === 'number' ? model.scope.copies.get(copy)?.parameters : undefined
  return parameters ? { parameters } : {}
}

/** Returns true if the row, or the server's row under undecided changes, still names the blob and the app displays it. */
function isReferenced(model: OpenModel, { object, hash }: WantedBlob): boolean {
  const { name: source, blobs, rows, scope } = model
  const all = [rows.get(object)?.attributes, stateOf(model, object).serverRow?.attributes]
  return blobs.some(
    ({ name }) =>
      all.some(
        attributes => attributes !== undefined && Object.hasOwn(attributes, name) && attributes[name] === hash,
      ) && (scope.blobs.own.get(source, object, name) ?? hash) === hash,
  )
}
