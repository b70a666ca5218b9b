import type { Attributes, ObjectId } from '@godwit/protocol'
import type { Database } from '../database/database.js'
import type { Model, Models } from '../database/models.js'

/** What the verbs of one model choose from. */
export interface Engine {
  readonly database: Database
  readonly models: Models
  readonly model: Model
  readonly newId: () => ObjectId
  /** Of attributes that have one; undefined when none has. */
  readonly defaults: Attributes | undefined
  /** The id under which an object lies now: an app may hold on to a temporary one. */
  readonly resolve: (object: ObjectId) => ObjectId
}

export function engineOf({ database, models, model, newId }: Omit<Engine, 'defaults' | 'resolve'>): Engine {
  const withDefault = [...model.definition.attributes.values()].filter(attribute => attribute.default !== undefined)
  const defaults = Object.fromEntries(withDefault.map(attribute => [attribute.name, attribute.default ?? null]))
  return {
    database,
    models,
    model,
    newId,
    defaults: withDefault.length > 0 ? defaults : undefined,
    resolve: object =>
      !model.synced || model.rows.stamp(object) ? object : (model.partition.links.real(model.name, object) ?? object),
  }
}
