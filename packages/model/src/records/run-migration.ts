import type { OldRows } from '../database/migrate-table.js'
import { synchronousResult } from '../database/synchronous-result.js'
import type { Definition } from '../definition/definition.js'
import { change } from './change.js'
import { checkId } from './check-id.js'
import { destroy } from './destroy.js'
import { insert } from './insert.js'
import type { RecordEngine } from './record-engine.js'

/** Runs the app's migration, inside the caller's transaction. */
export function runMigration(engine: RecordEngine, before: Definition, old: OldRows): void {
  const { migrate, schemaVersion } = engine.model.definition
  if (migrate === undefined || schemaVersion === before.schemaVersion) return
  const migrated: unknown = migrate(before.schemaVersion, schemaVersion, {
    objects: () => old.all(),
    get: id => engine.locate(checkId(engine.model, id))?.row.attributes,
    create: attributes => insert(engine, attributes).object,
    change: (id, changes) => change(engine, checkId(engine.model, id), changes) !== undefined,
    destroy: id => destroy(engine, checkId(engine.model, id)),
  })
  synchronousResult(migrated, `The migration of ${engine.model.name}`)
}
