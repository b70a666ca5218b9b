import type { OpenModel } from '../database/models.js'
import { startOver } from './start-over.js'
import { askingFor, type SyncContext, type SyncRun } from './sync-context.js'

/** Reads the epoch that pushes have to name, for a source that answers no pulls. The source starts over in it, and the next file brings its rows. */
export async function learnEpoch(context: SyncContext, model: OpenModel, run: SyncRun): Promise<void> {
  const { sources } = model.partition
  const asked = sources.get(model.name)
  const { epoch } = await context.transport.versions(model.name, { limit: 1 }, askingFor(context, model, run))
  context.database.durable(() => {
    const { sync, client } = sources.get(model.name)
    if (sync === asked.sync && epoch !== asked.epoch) startOver(model, { epoch, client })
  })
}
