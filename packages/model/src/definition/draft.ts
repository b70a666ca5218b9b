import { SyncError } from '@godwit/protocol'
import {
  ATTRIBUTE_TYPES,
  type AttributeDefinition,
  type Definition,
  type IndexDefinition,
  PARTITIONS,
  type Partition,
  SYNC_TYPES,
  type SyncType,
} from './definition.js'

/** What `enable` switches on. */
export const SWITCHES = ['fixed_schema', 'sync', 'full_update', 'pass_through'] as const
/** What `set` sets. */
export const SETTINGS = ['partition', 'sync_type', 'sync_priority', 'freezed', 'schema_version'] as const

const RESERVED: ReadonlySet<string> = new Set(['', 'object', 'source_id', 'update_type', 'attrib_type'])

/** A definition while it is being made, setting by setting, as text or as values. Every setter throws `definition_invalid` and changes nothing where a value does not fit. */
export class Draft {
  readonly name: string
  #storage: Definition['storage'] = 'bag'
  #partition: Partition | undefined
  #syncType: SyncType = 'none'
  #syncPriority = 1000
  #freezed = false
  #fullUpdate = false
  #passThrough = false
  #schemaVersion = 0
  readonly #attributes = new Map<string, AttributeDefinition>()
  readonly #indexes = new Map<string, IndexDefinition>()
  readonly #belongsTo = new Map<string, string>()

  constructor(name: string) {
    this.name = name
  }

  enable(given: string): void {
    const name = oneOf('enable', given, SWITCHES)
    if (name === 'fixed_schema') this.#storage = 'fixed'
    else if (name === 'full_update') this.#fullUpdate = true
    else if (name === 'pass_through') this.#passThrough = true
    else if (this.#syncType === 'none') this.#syncType = 'incremental'
  }

  set(given: string, value: unknown): void {
    const name = oneOf('set', given, SETTINGS)
    if (name === 'partition') this.#partition = oneOf(name, value, PARTITIONS)
    else if (name === 'sync_type') this.#syncType = oneOf(name, value, SYNC_TYPES)
    else if (name === 'sync_priority')
      this.#syncPriority = numberOf(name, value, number => Number.isInteger(number) && number >= 1)
    else if (name === 'freezed') this.#freezed = booleanOf(name, value)
    else this.#schemaVersion = numberOf(name, value, Number.isFinite)
  }

  setAttribute(name: string, type: unknown = 'String', option: unknown = null): void {
    this.#attributes.set(checked(name), {
      name,
      type: oneOf('propertyType', type ?? 'String', ATTRIBUTE_TYPES),
      option:
        option === null || option === undefined || option === '' ? null : oneOf('propOption', option, ['overwrite']),
    })
  }

  attribute(name: string): AttributeDefinition | undefined {
    return this.#attributes.get(name)
  }

  setBelongsTo(attribute: string, model: string): void {
    this.#belongsTo.set(checked(attribute), model)
  }

  setIndex(name: string, attributes: unknown, unique: unknown = false): void {
    const names = typeof attributes === 'string' ? attributes.split(',').map(part => part.trim()) : attributes
    if (!Array.isArray(names) || names.length === 0 || !names.every(one => typeof one === 'string' && one !== '')) {
      throw invalid(`The index ${name} needs a list of attribute names; ${JSON.stringify(attributes)} came.`)
    }
    this.#indexes.set(name, { name, attributes: names, unique: booleanOf('is_unique', unique) })
  }

  /** As long as no partition was set it follows the sync type. */
  definition(): Definition {
    return {
      name: this.name,
      storage: this.#storage,
      partition: this.#partition ?? (this.#syncType === 'none' ? 'local' : 'user'),
      syncType: this.#syncType,
      syncPriority: this.#syncPriority,
      freezed: this.#freezed || this.#storage === 'fixed',
      fullUpdate: this.#fullUpdate,
      passThrough: this.#passThrough,
      schemaVersion: this.#schemaVersion,
      attributes: new Map(this.#attributes),
      indexes: [...this.#indexes.values()],
      belongsTo: new Map(this.#belongsTo),
    }
  }
}

/** Case does not matter: 'string' is 'String'. */
function oneOf<const Allowed extends string>(what: string, given: unknown, allowed: readonly Allowed[]): Allowed {
  const found = allowed.find(value => value.toLowerCase() === String(given).toLowerCase())
  if (found !== undefined) return found
  throw invalid(`${what} takes one of ${allowed.join(', ')}; ${JSON.stringify(given)} came.`)
}

function booleanOf(what: string, given: unknown): boolean {
  if (given === true || given === 'true') return true
  if (given === false || given === 'false') return false
  throw invalid(`${what} takes true or false; ${JSON.stringify(given)} came.`)
}

function numberOf(what: string, given: unknown, fits: (value: number) => boolean): number {
  const value = typeof given === 'string' && given.trim() !== '' ? Number(given) : given
  if (typeof value === 'number' && fits(value)) return value
  throw invalid(
    `${what} takes a number${what === 'sync_priority' ? ', whole and from 1' : ''}; ${JSON.stringify(given)} came.`,
  )
}

function checked(name: string): string {
  if (!RESERVED.has(name)) return name
  throw new SyncError(
    'name_not_allowed',
    `An attribute cannot be called ${JSON.stringify(name)}: the name is reserved.`,
  )
}

const invalid = (message: string): SyncError => new SyncError('definition_invalid', message)
