import type { Attributes, ObjectId } from '@godwit/protocol'

/**
 * The model during a migration, inside its transaction. Writes are ordinary changes: they follow the rules of the new definition and, in a model that
 * syncs, are sent.
 */
export interface Migration {
  /** Returns every object in order of creation, with its attributes under the old schema, including dropped columns and old types. */
  objects(): IterableIterator<{ readonly object: ObjectId; readonly attributes: Attributes }>
  /** Returns the attributes under the new schema; undefined if there is no such object. */
  get(object: ObjectId): Attributes | undefined
  /** Creates an object and returns its id. */
  create(attributes: Attributes): ObjectId
  /** Changes attributes; `null` removes one. Returns false if there is no such object. */
  change(object: ObjectId, changes: Attributes): boolean
  /** Removes an object. Returns false if there is no such object. */
  destroy(object: ObjectId): boolean
}

/** Called once when a device opens a model with a higher `schema_version` than before. If it throws or returns a promise, nothing is migrated. */
export type Migrate = (oldVersion: number, newVersion: number, database: Migration) => void
