import type { Database } from '../database/database.js'
import { SCHEMAS } from '../database/files.js'
import type { Model, Models } from '../database/models.js'
import type { Session } from './session.js'
import { empty } from './start-over.js'

export interface Resetting {
  readonly database: Database
  readonly models: Models
  readonly session: Session
}

const stored = ({ models }: Resetting): readonly Model[] => SCHEMAS.flatMap(schema => models.stored(schema))

/** Rows of models in the partition `local` that sync with nothing go. Elsewhere such rows belong to what syncs there. */
export function resetLocal(resetting: Resetting): void {
  resetting.database.transaction(() => {
    for (const { synced, rows } of resetting.models.stored('local')) if (!synced) rows.clear()
  })
}

/** Rows of models that sync go, with their undecided changes; the next sync loads them again. */
export function resetFull(resetting: Resetting): void {
  resetting.database.transaction(() => {
    for (const model of stored(resetting)) if (model.synced) empty(model, { keep: true })
  })
}

/** Also as another client, from the next sync on. */
export function resetClient(resetting: Resetting): void {
  resetFull(resetting)
  resetting.session.setClientId(null)
}
