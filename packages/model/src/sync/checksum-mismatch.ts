import { isSyncError } from '@godwit/protocol'
import type { OpenModel } from '../database/open-models.js'
import type { SyncContext, SyncRun } from '../run/sync-context.js'
import { repair } from './repair.js'
import { HOPELESS, RENEWED } from './repair-stages.js'

/** Reacts to a different checksum at the end of a pass: repair, then reload from zero, then repair again. Returns true if a pull should check the result. */
export async function handleChecksumMismatch(context: SyncContext, model: OpenModel, run: SyncRun): Promise<boolean> {
  const { mended, token } = model.state.get()
  if (token === null) return true
  if (mended >= HOPELESS && run.repaired) return giveUp(context, model)
  run.repaired = true
  try {
    return await repair(context, model, run)
  } catch (error) {
    if (!isSyncError(error) || error.code !== 'route_not_found') throw error
    return mended < RENEWED ? beginFromZero(context, model) : giveUp(context, model)
  }
}

/** Starts a resync from zero, for a server that cannot list its versions. */
function beginFromZero({ database, events }: SyncContext, model: OpenModel): boolean {
  database.transaction(() => {
    model.state.voidToken()
    model.state.change({ mended: RENEWED })
  })
  events.emit({ kind: 'resync', source: model.name, reason: 'checksum' })
  return true
}

function giveUp({ events }: SyncContext, { name }: OpenModel): boolean {
  const message = `The rows of ${name} on this device do not match the server, even after a repair and a full reload.`
  events.emit({ kind: 'error', source: name, error: { code: 'checksum_differs', message } })
  return false
}
