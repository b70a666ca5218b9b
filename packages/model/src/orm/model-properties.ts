import { SyncError } from '@godwit/protocol'
import { SETTINGS, set } from '../definition/settings.js'
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

/** Returns `Child,attribute,…`: the models and attributes that hold ids of a model. */
export function associationsOf({ device, name }: ModelState): string {
  const children = device.names().flatMap(child => {
    const belongsTo = device.find(child)?.definition.belongsTo ?? new Map<string, readonly string[]>()
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
  for (const name of Object.keys(properties)) if (READ_ONLY.includes(name)) throw readOnly(name)
  state.change(draft => {
    for (const [name, value] of Object.entries(properties)) set(draft, name, value)
  })
}

const readOnly = (name: string): SyncError =>
  new SyncError('definition_invalid', `${name} of a model can only be read; ${SETTINGS.join(', ')} can be set.`)
