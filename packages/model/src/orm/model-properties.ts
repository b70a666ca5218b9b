import { SyncError } from '@godwit/protocol'
import type { Definition } from '../definition/definition.js'
import { hasMembers } from '../definition/plain-json.js'
import { SETTINGS, set } from '../definition/settings.js'
import { valueText } from '../definition/value-text.js'
import type { Texts } from './as-text.js'
import type { ModelState } from './model-state.js'

const READ_ONLY: readonly string[] = [
  'associations',
  'loaded',
  'model_name',
  'source_id',
  'fixed_schema',
  'full_update',
  'pass_through',
]

const NO_OWNERS: Pick<Definition, 'belongsTo'> = { belongsTo: new Map() }

/** Returns `Child,attribute,…`: the models and attributes that hold ids of a model. Their models may be declared and not used yet. */
export function associationsOf({ device, name, known }: ModelState): string {
  const children = [...new Set([...device.names(), ...known.keys()])].flatMap(child => {
    const { belongsTo } = known.get(child) ?? device.find(child)?.definition ?? NO_OWNERS
    return [...belongsTo].filter(([, owners]) => owners.includes(name)).flatMap(([attribute]) => [child, attribute])
  })
  return children.join(',')
}

/** Returns all settings of a model, as text. */
export function propertiesOf(state: ModelState): Texts {
  // Reading the source id defines the model, so that `loaded` is true afterwards.
  const { sourceId } = state.ready()
  const { definition, name, isLoaded } = state
  return {
    model_name: name,
    source_id: String(sourceId),
    partition: definition.partition,
    sync_type: definition.syncType,
    sync_priority: String(definition.syncPriority),
    fixed_schema: String(definition.storage === 'fixed'),
    freezed: String(definition.freezed),
    full_update: String(definition.fullUpdate),
    pass_through: String(definition.passThrough),
    loaded: String(isLoaded),
    associations: associationsOf(state),
    schema_version: String(definition.schemaVersion),
  }
}

/** Sets all properties, or none if one is invalid. */
export function setProperties(state: ModelState, properties: { readonly [name: string]: unknown }): void {
  if (!hasMembers(properties))
    throw new SyncError('definition_invalid', `expected settings by name, got ${valueText(properties)}.`)
  for (const name of Object.keys(properties)) if (READ_ONLY.includes(name)) throw readOnly(name)
  state.change(draft => {
    for (const [name, value] of Object.entries(properties)) set(draft, name, value)
  })
}

const readOnly = (name: string): SyncError =>
  new SyncError('definition_invalid', `${name} of a model can only be read; ${SETTINGS.join(', ')} can be set.`)
