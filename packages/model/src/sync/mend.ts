import { isSyncError } from '@godwit/protocol'
import type { Model } from '../database/models.js'
import { HOPELESS, RENEWED } from './mended.js'
import { repair } from './repair.js'
import { voidToken } from './start-over.js'
import type { Run, Syncing } from './syncing.js'

/** What to do about a sum that differs at the end of a pass: repair, begin from zero, repair. True: a pull shows whether it helped. */
export async function mend(syncing: Syncing, model: Model, run: Run): Promise<boolean> {
  const { mended, token } = model.partition.sources.get(model.name)
  if (token === null) return true
  if (mended >= HOPELESS && run.repaired) return giveUp(syncing, model)
  run.repaired = true
  try {
    return await repair(syncing, model, run)
  } catch (error) {
    if (!isSyncError(error) || error.code !== 'route_not_found') throw error
    return mended < RENEWED ? beginFromZero(syncing, model) : giveUp(syncing, model)
  }
}

/** Starts a resync from zero, for a server that cannot list what it has. */
function beginFromZero({ database, events }: Syncing, model: Model): boolean {
  database.transaction(() => {
    voidToken(model)
    model.partition.sources.change(model.name, { mended: RENEWED })
  })
  events.emit({ kind: 'resync', source: model.name, reason: 'checksum' })
  return true
}

function giveUp({ events }: Syncing, { name }: Model): boolean {
  const message = `What this device has of ${name} does not add up to what the server has, after repair and a new beginning.`
  events.emit({ kind: 'error', source: name, error: { code: 'checksum_differs', message } })
  return false
}
