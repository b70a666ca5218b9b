import type { Model } from '../database/models.js'
import { startOver } from './start-over.js'
import { askingFor, type Run, type Syncing } from './syncing.js'

/** Reads the epoch that pushes have to name, for a source that answers no pulls. The source starts over in it, and the next file brings its rows. */
export async function learnEpoch(syncing: Syncing, model: Model, run: Run): Promise<void> {
  const { sources } = model.partition
  const asked = sources.get(model.name)
  const { epoch } = await syncing.transport.versions(model.name, { limit: 1 }, askingFor(syncing, model, run))
  syncing.database.durable(() => {
    const { sync, client } = sources.get(model.name)
    if (sync === asked.sync && epoch !== asked.epoch) startOver(model, { epoch, client })
  })
}
