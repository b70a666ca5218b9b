import type { DeviceDatabase } from '../database/database.js'
import { SCHEMAS } from '../database/files.js'
import type { OpenModel, OpenModels } from '../database/open-models.js'
import type { Session } from '../run/device-session.js'
import { empty } from '../run/restart-source.js'

export interface ResetContext {
  readonly database: DeviceDatabase
  readonly models: OpenModels
  readonly session: Session
}

const storedModels = ({ models }: ResetContext): readonly OpenModel[] =>
  SCHEMAS.flatMap(schema => models.stored(schema))

/** Removes the rows of models in the partition `local` that do not sync. In other partitions, such rows may belong to models that sync. */
export function resetLocal(context: ResetContext): void {
  context.database.transaction(() => {
    for (const { synced, rows } of context.models.stored('local')) if (!synced) rows.clear()
  })
}

/** Removes the rows of models that sync, with their undecided changes; the next sync loads them again. */
export function resetFull(context: ResetContext): void {
  context.database.transaction(() => {
    for (const model of storedModels(context)) if (model.synced) empty(model, { keep: true })
  })
}

/** The same, and the next sync creates a new client. */
export function resetClient(context: ResetContext): void {
  resetFull(context)
  context.session.setClientId(null)
}
