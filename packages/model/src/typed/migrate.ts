import type { AttributeDefinition } from '../definition/definition.js'
import type { Migrate } from '../definition/migration.js'
import type { ChangeFor, CreateFor } from './infer.js'
import { toAttributes } from './name-map.js'

/** The model while its schema changes, inside the transaction of the migration. What is written here is a change like any other. */
export interface TypedMigration<A> {
  /** Every object in order of creation, as it was stored under the old schema: by the names of the server, with whatever values there were. */
  objects(): IterableIterator<{ readonly id: string; readonly attributes: { readonly [name: string]: unknown } }>
  /** Answers the id of the new object. */
  create(attributes: CreateFor<A>): string
  /** `null` removes an attribute. False: there is no such object. */
  change(id: string, changes: ChangeFor<A>): boolean
  /** False: there was none. */
  destroy(id: string): boolean
}

/** Called once, when a device opens a model with a higher `schemaVersion` than it was kept under. Throws, or gives a promise: nothing is migrated. */
export type MigrateTyped<A> = (oldVersion: number, newVersion: number, database: TypedMigration<A>) => void

/** The same as the engine calls it. */
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
