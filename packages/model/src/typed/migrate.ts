import type { AttributeDefinition } from '../definition/definition.js'
import type { Migrate } from '../definition/migration.js'
import type { ChangeFor, CreateFor } from './infer.js'
import { toAttributes } from './name-map.js'

/** The model during a migration, inside its transaction. Writes are ordinary changes. */
export interface TypedMigration<A> {
  /** Returns every object in order of creation, as stored under the old schema: by names on the server, with any stored value. */
  objects(): IterableIterator<{ readonly id: string; readonly attributes: { readonly [name: string]: unknown } }>
  /** Returns the id of the new object. */
  create(attributes: CreateFor<A>): string
  /** Changes attributes; `null` removes one. Returns false if there is no such object. */
  change(id: string, changes: ChangeFor<A>): boolean
  /** Returns false if there was none. */
  destroy(id: string): boolean
}

/** Called once when a device opens a model with a higher `schemaVersion` than before. If it throws or returns a promise, nothing is migrated. */
export type MigrateTyped<A> = (oldVersion: number, newVersion: number, database: TypedMigration<A>) => void

/** Adapts it to the engine. */
export function engineMigration<A>(
  model: string,
  declared: ReadonlyMap<string, AttributeDefinition>,
  migrate: MigrateTyped<A>,
): Migrate {
  const attributes = new Map([...declared.values()].map(one => [one.appName ?? one.name, one]))
  const given = (values: unknown) => toAttributes({ model, attributes }, values)
  return (oldVersion, newVersion, database) =>
    migrate(oldVersion, newVersion, {
      *objects() {
        for (const { object, attributes: old } of database.objects()) yield { id: object, attributes: old }
      },
      create: values => database.create(given(values)),
      change: (id, changes) => database.change(id, given(changes)),
      destroy: id => database.destroy(id),
    })
}
