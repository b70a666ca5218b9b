import { SyncError } from '@godwit/protocol'
import { checkDefinition } from '../definition/check-definition.js'
import {
  type Definition,
  type IndexDefinition,
  PARTITIONS,
  type Partition,
  SYNC_TYPES,
  type SyncType,
} from '../definition/definition.js'
import { oneOf } from '../definition/settings.js'
import { attributeOf } from './attribute-definition.js'
import type { Attributes, KeyOf, KeysOfKind, Model } from './infer.js'
import { builtOf } from './t.js'
import { engineMigration, type MigrateTyped } from './typed-migration.js'

/** The options of `defineModel`. */
export interface ModelOptions<A, Searched = never, By = never> {
  /** The attributes by name, each made by `t`. */
  readonly attributes: A
  /** Default: `user` for a model that syncs, otherwise `local`. */
  readonly partition?: Partition
  /** Default `none`. */
  readonly sync?: SyncType
  /** `fixed`: undeclared attributes from the server are dropped. Default `bag`: they are kept, for a later version of the app. */
  readonly storage?: 'bag' | 'fixed'
  /** Models with lower numbers sync first. Default 1000. */
  readonly priority?: number
  /** If true, updates send all attributes instead of the changed ones. Default false. */
  readonly fullUpdate?: boolean
  /** If true, the server's journal stores no attribute values. Default false. */
  readonly passThrough?: boolean
  /** Version of the schema; increase it when attributes change. Default 0. */
  readonly schemaVersion?: number
  /** Migrates data when a device opens the model with a higher `schemaVersion`. Runs in the migration's transaction, so an error rolls it back. */
  readonly migrate?: MigrateTyped<A>
  /** Indexes by name. A unique index rejects local writes of existing values with `not_unique`. */
  readonly indexes?: {
    readonly [name: string]:
      | readonly KeyOf<A>[]
      | { readonly attributes: readonly KeyOf<A>[]; readonly unique: boolean }
  }
  /** Attributes that `find({ search })` searches. */
  readonly textSearch?: readonly Searched[]
  /**
   * The attributes that name the partition of an object, for a source with the same `by`: the device holds the partitions that the server lists and
   * those to which the app subscribes. 1 to 4 required attributes with text, a number or a boolean. Default: the source is one partition.
   */
  readonly by?: readonly By[]
}

const definitions = new WeakMap<Model, Definition>()

/** Returns the engine's definition of a model. Throws `definition_invalid` for anything that `defineModel` did not create. */
export function definitionOf(model: Model): Definition {
  const definition = definitions.get(model)
  if (definition) return definition
  throw new SyncError('definition_invalid', 'models: expected models that defineModel made, got something else.')
}

/**
 * Defines a model whose rows are typed by its attributes. Throws `definition_invalid` for errors that types cannot detect: two attributes with the
 * same name on the server, a reserved name, an empty index.
 */
export function defineModel<
  const Name extends string,
  A extends Attributes,
  const Searched extends KeysOfKind<A, 'string'> = never,
  const By extends KeyOf<A> = never,
>(name: Name, options: ModelOptions<A, Searched, By>): Model<Name, A, Searched, By> {
  const model: Model<Name, A, Searched, By> = Object.freeze({
    name,
    attributes: options.attributes,
    textSearch: options.textSearch ?? [],
    by: options.by ?? [],
  })
  definitions.set(model, readDefinition(name, options))
  return model
}

function readDefinition<A extends Attributes>(name: string, options: ModelOptions<A, string, string>): Definition {
  const syncType = oneOf(`${name}, sync`, options.sync ?? 'none', SYNC_TYPES)
  const storage = options.storage ?? 'bag'
  const all = Object.entries(options.attributes).map(([attribute, given]) => attributeOf(name, attribute, given))
  checkNames(name, options.attributes, all)
  const attributes = new Map(all.map(attribute => [attribute.name, attribute]))
  const wireName = wireNames(name, all)
  const definition: Definition = {
    name,
    storage,
    partition: oneOf(`${name}, partition`, options.partition ?? (syncType === 'none' ? 'local' : 'user'), PARTITIONS),
    syncType,
    syncPriority: options.priority ?? 1000,
    freezed: storage === 'fixed',
    fullUpdate: options.fullUpdate === true,
    passThrough: options.passThrough === true,
    schemaVersion: options.schemaVersion ?? 0,
    migrate: options.migrate && engineMigration(name, attributes, options.migrate),
    attributes,
    indexes: Object.entries(options.indexes ?? {}).map(([index, given]) => indexOf(index, given, wireName)),
    belongsTo: new Map(
      Object.entries(options.attributes).flatMap(([attribute, given]) => {
        const { target } = builtOf(given)?.options ?? {}
        return target === undefined ? [] : [[wireName(attribute), [target]] as const]
      }),
    ),
    typed: true,
    ...(options.by && { by: options.by.map(wireName) }),
    ...(options.textSearch && { textSearch: options.textSearch.map(wireName) }),
  }
  checkDefinition(definition)
  return definition
}

/** Returns a lookup of the server's name of a declared attribute. */
const wireNames =
  (model: string, all: readonly { readonly name: string; readonly appName?: string }[]) =>
  (attribute: string): string => {
    const found = all.find(({ appName }) => appName === attribute)
    if (found) return found.name
    const known = all.map(({ appName }) => appName).join(', ')
    throw invalid(`${model}: expected one of its attributes (${known}), got ${JSON.stringify(attribute)}.`)
  }

const RESERVED = ['id', 'and', 'or', 'sql']

function checkNames(model: string, given: Attributes, all: readonly { readonly name: string }[]): void {
  const names = Object.keys(given)
  const relations = Object.values(given).flatMap(attribute => builtOf(attribute)?.as ?? [])
  const reserved = [...names, ...relations].find(name => RESERVED.includes(name))
  if (reserved !== undefined)
    throw invalid(`${model}: ${reserved} is reserved. Expected another name; serverName can be any.`)
  const duplicate = relations.find((name, at) => names.includes(name) || relations.indexOf(name) !== at)
  if (duplicate !== undefined)
    throw invalid(`${model}: expected one attribute or relation called ${duplicate}, got two.`)
  const wire = all.map(({ name }) => name)
  const same = wire.find((name, at) => wire.indexOf(name) !== at)
  if (same !== undefined) throw invalid(`${model}: expected one attribute that the server calls ${same}, got two.`)
}

function indexOf(
  name: string,
  given: readonly string[] | { readonly attributes: readonly string[]; readonly unique: boolean },
  wireName: (attribute: string) => string,
): IndexDefinition {
  const { attributes, unique } = 'attributes' in given ? given : { attributes: given, unique: false }
  return { name, attributes: attributes.map(wireName), unique }
}

const invalid = (message: string): SyncError => new SyncError('definition_invalid', message)
