import { SyncError } from '@godwit/protocol'
import type { Definition } from '../definition/definition.js'
import type { Device } from '../records/device-interface.js'
import { definitionOf } from './define-model.js'
import type { Model, Models } from './infer.js'
import { type NameMap, nameMapOf } from './name-map.js'
import { type Access, type AnyTypedModel, createTypedModel, type TypedModel } from './typed-model.js'

/** The typed models of an SDK, by name; with access `remote`, those of another thread. */
export type TypedModels<Ms, P extends Access = 'here'> = { readonly [Name in keyof Ms]: TypedModel<Name, Ms, P> }

/** The given models if they are valid; otherwise the expected type, which puts the compiler error on the invalid model. */
export type CheckedModels<Ms> = Ms extends FittingModels<Ms> ? Ms : FittingModels<Ms>
type FittingModels<Ms> = {
  readonly [Name in keyof Ms]: Ms[Name] extends Model<infer Own, infer A>
    ? string extends Own
      ? Ms[Name]
      : Own extends Name
        ? RelationsTo<A> extends keyof Ms
          ? Ms[Name]
          : `${Own} belongs to ${Exclude<RelationsTo<A>, keyof Ms> & string}, which is not among the models`
        : `the key of this model has to be its name, ${Own}`
    : never
}
type RelationsTo<A> = { [K in keyof A]: A[K] extends { readonly target: infer Target } ? Target : never }[keyof A]

/** Defines the models of an app on its device. Throws `definition_invalid` if a model is missing or its key differs from its name. */
export function openModels<Ms extends Models<Ms>>(device: Device, models: Ms): TypedModels<Ms> {
  const given = Object.entries(models as { readonly [name: string]: Model })
  const nameMaps = new Map<string, NameMap>()
  const requireNameMap = (name: string): NameMap => {
    const nameMap = nameMaps.get(name)
    if (nameMap) return nameMap
    throw new SyncError('model_unknown', `expected a model ${name} among the models of openSdk, got none.`)
  }
  for (const [key, model] of given) {
    const definition = definitionOf(model)
    checkKey(key, model, Object.keys(models), definition.belongsTo)
    nameMaps.set(key, nameMapOf(model, definition, requireNameMap))
  }
  const opened = device.transaction(() =>
    [...nameMaps].map(([name, nameMap]): readonly [string, AnyTypedModel] => [
      name,
      createTypedModel(nameMap, device.define(nameMap.definition), device),
    ]),
  )
  return Object.fromEntries(opened) as unknown as TypedModels<Ms>
}

function checkKey(key: string, { name }: Model, known: readonly string[], belongsTo: Definition['belongsTo']): void {
  if (key !== name) throw invalid(`models: expected the key ${name}, which is the model's name, got ${key}`)
  const missing = [...belongsTo.values()].flat().find(target => !known.includes(target))
  if (missing !== undefined)
    throw invalid(`models: ${name} belongs to ${missing}, which is not among them. Open it too`)
}

const invalid = (message: string): SyncError => new SyncError('definition_invalid', `${message}.`)
