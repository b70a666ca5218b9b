import type { DeviceDatabase } from '../database/database.js'
import type { OpenModel, OpenModels } from '../database/models.js'
import { membersOf, spellsNumbers } from '../database/row-text.js'
import { hasUndecidedOwners } from './temporary-owners.js'

/** Whether the outbox can take new objects of a model as their rows lie there: SQL spells them, and they name nothing undecided. */
export const canAddTogether = (database: DeviceDatabase, models: OpenModels, model: OpenModel): boolean =>
  model.synced && spellsNumbers(database, model.held) && !hasUndecidedOwners(models, model)

interface NewRows {
  /** They are those behind this `seq`. */
  readonly after: number
  /** The last that they name. */
  readonly entry: number
}

/** Notes of rows, each made just now, what `addCreate` notes of each. */
export function addCreates(
  database: DeviceDatabase,
  { name, shape, held, partition }: OpenModel,
  { after, entry }: NewRows,
): void {
  partition.outbox.wrote(name)
  database
    .prepare(
      `INSERT INTO ${partition.outbox.table} (entry, model, object, operation, attributes, was, state, sent)
       SELECT entry, ?, "object", 'create', '{' || substr(${membersOf(held)}, 2) || '}', '{}', 'unsent', 0 FROM ${shape.table} WHERE seq > ?`,
    )
    .run(name, after)
  partition.outbox.addedThrough(entry)
}
