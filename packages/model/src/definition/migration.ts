import { type Attributes, type ObjectId, SyncError } from '@godwit/protocol'
import { valueText } from './value-text.js'

/** An object during a migration, as it was before. */
export interface MigratedObject {
  readonly id: ObjectId
  /** The attributes under the old schema, including dropped columns and old types. */
  readonly attributes: Attributes
  /** @deprecated Use `id`. */
  readonly object: ObjectId
}

/**
 * The model during a migration, inside its transaction: writes are ordinary changes, which follow the rules of the new definition and, in a model that
 * syncs, are sent. `get`, `change` and `destroy` throw for anything but text as an id.
 */
export interface Migration {
  /** Returns every object in order of creation. */
  objects(): IterableIterator<MigratedObject>
  /** Returns the attributes under the new schema; undefined if there is no such object. */
  get(id: ObjectId): Attributes | undefined
  /** Creates an object and returns its id. */
  create(attributes: Attributes): ObjectId
  /** Changes attributes; `null` removes one. Returns false if there is no such object. */
  change(id: ObjectId, changes: Attributes): boolean
  /** Removes an object. Returns false if there is no such object. */
  destroy(id: ObjectId): boolean
}

/** Called once when a device opens a model with a higher `schema_version` than before. If it throws or returns a promise, nothing is migrated. */
export type Migrate = (oldVersion: number, newVersion: number, database: Migration) => void

/** Returns the app's migration. Throws `definition_invalid` for anything but a function, as it would fail only on devices that migrate. */
export function checkMigrate<Given>(model: string, migrate: Given): Given {
  if (migrate === undefined || typeof migrate === 'function') return migrate
  throw new SyncError(
    'definition_invalid',
    `The migration of ${model}: expected a function, got ${valueText(migrate)}.`,
  )
}
