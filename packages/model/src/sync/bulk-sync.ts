import { SyncError } from '@godwit/protocol'
import type { BulkFileRequest } from '../bulk/bulk-file.js'
import { type BulkSource, loadBulkData } from '../bulk/load-bulk-data.js'
import type { OpenModel } from '../database/open-models.js'
import type { DeviceFiles } from '../platform/device-files.js'
import { checkRoom } from '../run/check-room.js'
import { ensureClient } from '../run/client.js'
import { runExclusively } from '../run/one-at-a-time.js'
import { endedBy } from '../run/source-failure.js'
import type { SyncContext } from '../run/sync-context.js'
import { type SyncSummary, sync } from './sync.js'

/** The result of `bulkSync`. */
export interface BulkSummary {
  readonly sources: readonly BulkSource[]
  /** Total size of the files. */
  readonly bytes: number
  /** The sync that followed, of models that also sync by pulls or have something to send. */
  readonly sync: SyncSummary
}

/** RECIPE of bulk data: client → for each partition request → download → import → then sync later changes. */
export async function bulkSync(
  context: SyncContext,
  models: readonly OpenModel[],
  signal: AbortSignal,
): Promise<BulkSummary> {
  const files = filesOf(context)
  await checkRoom(context)
  await context.signIn.ready()
  const token = context.session.required()
  await ensureClient(context, token, signal)
  const sources: BulkSource[] = []
  let bytes = 0
  for (const partitionType of ['app', 'user'] as const) {
    const own = models.filter(model => partitionTypeOf(model) === partitionType && !model.definition.by)
    if (own.length === 0 || signal.aborted) continue
    const names = own.map(({ name }) => name)
    const loaded = await runExclusively(context.busy, names, () =>
      loadBulkData({ ...context, files }, { partitionType, models: own, signal }),
    ).catch(cause => {
      throw endedBy(context, token, cause)
    })
    sources.push(...loaded.sources)
    bytes += loaded.bytes
  }
  const synced = models.filter(model => !model.isBulkOnly || model.scope.outbox.hasToSend(model.name))
  return { sources, bytes, sync: await sync(context, { models: synced, query: {}, signal }) }
}

/** Returns the partition type on the server, where a local model belongs to the user. */
const partitionTypeOf = ({ definition }: OpenModel): BulkFileRequest['partitionType'] =>
  definition.partition === 'app' ? 'app' : 'user'

function filesOf({ files }: SyncContext): DeviceFiles {
  if (files) return files
  throw new SyncError(
    'value_not_allowed',
    'Bulk sync needs file storage, which this platform does not provide. Use sync instead.',
  )
}
