import type { Attributes, ObjectId } from '@godwit/protocol'

/**
 * The model while its schema changes, inside the transaction of the migration. What is written here is a change like any other:
 * it follows the rules of the new definition and, in a model that syncs, is sent.
 */
export interface Migration {
  /** Every object in order of creation, with its attributes as they were under the old schema: dropped columns and old types too. */
  objects(): IterableIterator<{ readonly object: ObjectId; readonly attributes: Attributes }>
  /** The attributes under the new schema; undefined when there is no such object. */
  get(object: ObjectId): Attributes | undefined
  /** Answers the id of the new object. */
  create(attributes: Attributes): ObjectId
  /** `null` removes an attribute. False: there is no such object. */
  change(object: ObjectId, changes: Attributes): boolean
  /** False: there was none. */
  destroy(object: ObjectId): boolean
}

/** Called once, when a device opens a model with another `schema_version` than it was kept under. Throws, or gives a promise: nothing is migrated. */
export type Migrate = (oldVersion: number, newVersion: number, database: Migration) => void
