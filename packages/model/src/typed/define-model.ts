import { SyncError } from '@godwit/protocol'
import { checkDefinition } from '../definition/check-definition.js'
import type {
  AttributeDefinition,
  AttributeType,
  Definition,
  IndexDefinition,
  Partition,
  SyncType,
} from '../definition/definition.js'
import type { Migrate } from '../definition/migration.js'
import type { AttributeSpec, AttributeSpecs, TypeName } from './infer.js'

/** A model of the typed face: what `defineModel` takes beside the name. */
export interface ModelOptions<Specs extends AttributeSpecs> {
  readonly attributes: Specs
  /** Default: `user` for a model that syncs, else `local`. */
  readonly partition?: Partition
  /** Default `none`. */
  readonly sync?: SyncType
  /** `fixed`: real columns and only declared attributes. Default `bag`: one JSON value an object. */
  readonly storage?: 'bag' | 'fixed'
  /** Lower comes first. Default 1000. */
  readonly priority?: number
  /** Undeclared attributes are refused. Always so for `fixed`. Default false. */
  readonly freezed?: boolean
  /** Updates send all attributes. Default false. */
  readonly fullUpdate?: boolean
  /** Contents stay out of the server's journal. Default false. */
  readonly passThrough?: boolean
  /** Raise it when attributes change. Default 0. */
  readonly schemaVersion?: number
  /** Brings the data along when a device opens the model with another `schemaVersion`. In the transaction of the migration: a throw undoes it all. */
  readonly migrate?: Migrate
  readonly indexes?: {
    readonly [name: string]:
      | readonly (keyof Specs & string)[]
      | { readonly attributes: readonly (keyof Specs & string)[]; readonly unique: boolean }
  }
}

/** A model, ready to be opened by an SDK. */
export interface ModelSpec<Specs extends AttributeSpecs = AttributeSpecs> {
  readonly name: string
  readonly specs: Specs
  readonly definition: Definition
}

const TYPES: { readonly [Name in TypeName]: AttributeType } = {
  string: 'String',
  varchar: 'Varchar',
  blob: 'Blob',
  integer: 'Integer',
  float: 'Float',
  boolean: 'Boolean',
}

/**
 * Defines a model whose rows are typed by its attributes.
 * Throws `definition_invalid` for what no type can exclude: an unknown type, a reserved name, an index over nothing.
 */
export function defineModel<const Specs extends AttributeSpecs>(
  name: string,
  options: ModelOptions<Specs>,
): ModelSpec<Specs> {
  const syncType = options.sync ?? 'none'
  const storage = options.storage ?? 'bag'
  const specs = Object.entries(options.attributes)
  const definition: Definition = {
    name,
    storage,
    partition: options.partition ?? (syncType === 'none' ? 'local' : 'user'),
    syncType,
    syncPriority: options.priority ?? 1000,
    freezed: storage === 'fixed' || options.freezed === true,
    fullUpdate: options.fullUpdate === true,
    passThrough: options.passThrough === true,
    schemaVersion: options.schemaVersion ?? 0,
    migrate: options.migrate,
    attributes: new Map(specs.map(([attribute, spec]) => [attribute, attributeOf(name, attribute, spec)])),
    indexes: Object.entries(options.indexes ?? {}).map(([index, given]) => indexOf(index, given)),
    belongsTo: new Map(
      specs.flatMap(([attribute, spec]) =>
        typeof spec === 'object' && 'belongsTo' in spec ? [[attribute, [spec.belongsTo]] as const] : [],
      ),
    ),
  }
  checkDefinition(definition)
  return { name, specs: options.attributes, definition }
}

function attributeOf(model: string, name: string, spec: AttributeSpec): AttributeDefinition {
  if (typeof spec === 'object' && 'belongsTo' in spec) return { name, type: 'String', option: null }
  const { type, default: given, overwrite = false } = typeof spec === 'string' ? { type: spec } : spec
  if (!Object.hasOwn(TYPES, type)) {
    throw new SyncError(
      'definition_invalid',
      `The type of ${model}.${name} is one of ${Object.keys(TYPES).join(', ')}; ${String(type)} came.`,
    )
  }
  return {
    name,
    type: TYPES[type],
    option: overwrite ? 'overwrite' : null,
    ...(given !== undefined && { default: given }),
  }
}

function indexOf(
  name: string,
  given: readonly string[] | { readonly attributes: readonly string[]; readonly unique: boolean },
): IndexDefinition {
  const { attributes, unique } = 'attributes' in given ? given : { attributes: given, unique: false }
  return { name, attributes, unique }
}
