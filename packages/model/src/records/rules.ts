import { type Attributes, SyncError } from '@godwit/protocol'
import type { OpenModel } from '../database/open-models.js'
import { valueIn } from '../definition/attribute-values.js'
import type { Definition } from '../definition/definition.js'

/** The rules that apply to a write. */
export interface Rules {
  /** True if required attributes must be present and values must match their types. */
  readonly areBound: boolean
}

/** Rules for new writes of the app. */
export const OF_THE_APP: Rules = { areBound: true }

/** Rules for repeating an earlier write, which was possibly made under another definition. */
export const AS_BEFORE: Rules = { areBound: false }

/** Throws `schema_newer` if a newer version of the app made the table and this definition is incompatible. */
export function checkWritable({
  isWritable,
  definition,
  tableDefinition,
}: Pick<OpenModel, 'isWritable' | 'definition' | 'tableDefinition'>): void {
  if (isWritable) return
  const { name, schemaVersion } = definition
  throw new SyncError(
    'schema_newer',
    `${name}: expected schemaVersion ${tableDefinition.schemaVersion}, of which this device has its rows, or a higher one, got ${schemaVersion}. Nothing was stored; install the newer version of the app again.`,
    { details: { stored: tableDefinition.schemaVersion, schemaVersion } },
  )
}

/** Throws `record_invalid` for a new object that lacks a required attribute of a typed model, or one that names its partition. */
export function checkComplete(definition: Definition, attributes: Attributes): void {
  const required = requiredOf(definition)
  if (areThere(required, attributes)) return
  const missing = required.names.filter(name => (valueIn(attributes, name) ?? null) === null)
  throw invalid(definition, missing, `expected a value of ${listNames(definition, missing)}, which is required`)
}

/** Throws `record_invalid` for a change that removes such an attribute. */
export function checkRequiredKept(definition: Definition, changes: Attributes): void {
  const removed = requiredOf(definition).names.filter(name => valueIn(changes, name) === null)
  if (removed.length > 0)
    throw invalid(
      definition,
      removed,
      `expected a value of ${listNames(definition, removed)}, which is required, got null`,
    )
}

interface RequiredNames {
  readonly names: readonly string[]
  /** True if no name is also a member of `Object.prototype`. */
  readonly areOwn: boolean
}

function areThere({ names, areOwn }: RequiredNames, attributes: Attributes): boolean {
  for (const name of names) if (((areOwn ? attributes[name] : valueIn(attributes, name)) ?? null) === null) return false
  return true
}

const NO_REQUIRED_NAMES: RequiredNames = { names: [], areOwn: true }
const required = new WeakMap<Definition, RequiredNames>()

function requiredOf(definition: Definition): RequiredNames {
  if (!definition.typed && !definition.by) return NO_REQUIRED_NAMES
  const known = required.get(definition)
  if (known) return known
  const names = definition.typed
    ? [...definition.attributes.values()].filter(one => one.presence === 'required').map(({ name }) => name)
    : (definition.by ?? [])
  const found = { names, areOwn: !names.some(name => name in {}) }
  required.set(definition, found)
  return found
}

const listNames = ({ attributes }: Definition, names: readonly string[]): string =>
  names.map(name => attributes.get(name)?.appName ?? name).join(', ')

function invalid({ name }: Definition, attributes: readonly string[], problem: string): SyncError {
  return new SyncError('record_invalid', `${name}: ${problem}. Nothing was stored.`, { details: { attributes } })
}
