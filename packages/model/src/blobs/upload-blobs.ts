import { isSyncError, MAX_BLOB_UPLOAD, type SyncError } from '@godwit/protocol'
import { isSentTo } from '../copies/route-entry.js'
import type { OpenModel } from '../database/open-models.js'
import type { OutboxEntry } from '../database/tables/outbox-entry.js'
import { fileOf, hashesIn } from '../definition/blob-names.js'
import type { Refusal } from '../definition/reported-changes.js'
import { refuse } from '../outbox/settle-entry.js'
import type { DeviceFiles } from '../platform/device-files.js'
import { emitResults, requestIdentity, type SyncContext, type SyncRun } from '../run/sync-context.js'

const ENTRIES_PER_PAGE = 500
/** Blobs sent before one request, so that their mutations do not wait for all others. */
const BLOBS_PER_BATCH = 50

/** The state of blobs during one push, by hash. */
export interface BlobUploads {
  /** Sent, or not on this device: the server reports it if it lacks them too. */
  readonly sent: Set<string>
  /** Reported missing by the server. */
  readonly missing: Set<string>
  /** Cannot be sent; the changes that refer to them say so. */
  readonly lost: Set<string>
}

/** True if no blob has to be sent before an entry. */
export const isReady = ({ blobs }: OpenModel, { attributes }: OutboxEntry, { sent, lost }: BlobUploads): boolean =>
  hashesIn(blobs, attributes).every(hash => sent.has(hash) || lost.has(hash))

/** Records blobs that the server lacks: each is sent again, or is lost if this device has no file. */
export function recordMissing(
  { files }: Pick<SyncContext, 'files'>,
  hashes: readonly string[],
  uploads: BlobUploads,
): void {
  for (const hash of hashes) {
    uploads.sent.delete(hash)
    uploads.missing.add(hash)
    if (files?.size(fileOf(hash)) === undefined) uploads.lost.add(hash)
  }
}

/**
 * Uploads blobs of unsent changes, resuming earlier uploads, and those of accepted changes that the server lost; if a blob is rejected, its change is
 * refused. Resolves to the error if the server accepts no more blobs until changes refer to those it has.
 */
export async function uploadBlobs(
  context: SyncContext,
  model: OpenModel,
  run: SyncRun,
  { uploads, again }: { readonly uploads: BlobUploads; readonly again: readonly OutboxEntry[] },
): Promise<SyncError | undefined> {
  const { files } = context
  if (files === undefined) return undefined
  const { sent, lost, missing } = uploads
  const requested = again.filter(({ attributes }) => hashesIn(model.blobs, attributes).some(hash => missing.has(hash)))
  const waiting = [...requested, ...entriesOf(model)]
    .filter(entry => !isReady(model, entry, uploads) && isSentTo(context.models, model, entry))
    .slice(0, BLOBS_PER_BATCH)
  for (const entry of waiting) {
    for (const hash of hashesIn(model.blobs, entry.attributes)) {
      if (sent.has(hash) || lost.has(hash) || run.signal.aborted) continue
      try {
        await uploadTwice({ ...context, files }, model, run, hash)
        sent.add(hash)
      } catch (error) {
        if (isSyncError(error) && error.code === 'quota_exceeded') return error
        if (!isSyncError(error) || !isFinal(error)) throw error
        if (entry.key !== null) {
          lost.add(hash)
          const { code, message } = error
          context.events.emit({ kind: 'error', source: model.name, error: { code, message } })
          continue
        }
        emitResults(context, { stale: false, events: [], refusals: refuseFor(context, model, { entry, hash, error }) })
        break
      }
    }
  }
  return undefined
}

/** True for a blob that will never be accepted: too large, wrong content, or for a source without files. */
const isFinal = ({ code, details }: SyncError): boolean =>
  code === 'body_too_large' || (details['status'] === 422 && code !== 'offline')

/** Refuses an entry as it is now: the app may have changed or undone it during the upload. */
function refuseFor(
  { database, models, now }: SyncContext,
  model: OpenModel,
  { entry, hash, error }: { readonly entry: OutboxEntry; readonly hash: string; readonly error: SyncError },
): readonly Refusal[] {
  const { code, message } = error
  return database.durable(() => {
    const present = model.scope.outbox.get(entry.entry)
    const isMeant = present?.key === null && hashesIn(model.blobs, present.attributes).includes(hash)
    return isMeant ? refuse(models, model, present, { status: 'refused', error: { code, message }, at: now() }) : []
  })
}

function* entriesOf(model: OpenModel): Generator<OutboxEntry> {
  if (model.blobs.length === 0) return
  for (const state of ['taken', 'unsent'] as const) {
    for (let after = 0; ; ) {
      const page = model.scope.outbox.inState(model.name, state, { after, limit: ENTRIES_PER_PAGE })
      yield* page.filter(({ attributes }) => hashesIn(model.blobs, attributes).length > 0)
      if (page.length < ENTRIES_PER_PAGE) break
      after = page.at(-1)?.entry as number
    }
  }
}

/** Uploads again once if the content did not match the hash, which may be an error of transmission. */
const uploadTwice = (...given: Parameters<typeof upload>): Promise<void> =>
  upload(...given).catch((error: unknown) => {
    if (!isSyncError(error) || error.code !== 'body_invalid') throw error
    return upload(...given)
  })

/** Uploads a blob. A large one begins with a query for its position on the server, which may have a part of it. */
async function upload(
  syncing: SyncContext & { readonly files: DeviceFiles },
  model: OpenModel,
  run: SyncRun,
  hash: string,
): Promise<void> {
  const { files, transport } = syncing
  const name = fileOf(hash)
  const size = files.size(name)
  if (size === undefined) return
  let offset = 0
  let bytes = size > MAX_BLOB_UPLOAD ? new Uint8Array() : await files.read(name, 0, MAX_BLOB_UPLOAD)
  while (!run.signal.aborted) {
    const asking = requestIdentity(syncing, model, run)
    const parameters = model.copy && { parameters: JSON.stringify(model.copy.parameters) }
    const query = { hash, size, offset, ...parameters }
    const { complete, received } = await transport.uploadBlob(model.name, query, bytes, asking)
    if (complete) return
    offset = received
    bytes = await files.read(name, offset, MAX_BLOB_UPLOAD)
  }
}
