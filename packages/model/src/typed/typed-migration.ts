import type { AttributeDefinition } from '../definition/definition.js'
import { checkMigrate, type Migrate } from '../definition/migration.js'
import type { ChangeFor, CreateFor } from './infer.js'
import { toAttributes } from './name-map.js'

/** The model during a migration, inside its transaction. Writes are ordinary changes. */
export interface TypedMigration<A> {
  /** Returns all objects in order of creation, as stored under the old schema: with the server's names and unvalidated values. */
  objects(): IterableIterator<{ readonly id: string; readonly attributes: { readonly [name: string]: unknown } }>
  /** Creates an object and returns its id. */
  create(attributes: CreateFor<A>): string
  /** Changes attributes; `null` removes one. Returns false if there is no such object. */
  change(id: string, changes: ChangeFor<A>): boolean
  /** Deletes an object. Returns false if there is no such object. */
  destroy(id: string): boolean
}

/** Called once when a device opens a model with a higher `schemaVersion` than before. If it throws or returns a promise, nothing is migrated. */
export type MigrateTyped<A> = (oldVersion: number, newVersion: number, database: TypedMigration<A>) => void

/** Converts a typed migration to the engine's form. */
export function engineMigration<A>(
  model: string,
  declared: ReadonlyMap<string, AttributeDefinition>,
  migrate: MigrateTyped<A>,
): Migrate {
  const attributes = new Map([...declared.values()].map(one => [one.appName ?? one.name, one]))
  const given = (values: unknown) => toAttributes({ model, attributes }, values)
  const checked = checkMigrate(model, migrate)
  return (oldVersion, newVersion, database) =>
    checked(oldVersion, newVersion, {
      *objects() {
        for (const { id, attributes: old } of database.objects()) yield { id, attributes: old }
      },
      create: values => database.create(given(values)),
      change: (id, changes) => database.change(id, given(changes)),
      destroy: id => database.destroy(id),
    })
}
