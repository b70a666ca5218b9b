import { SyncError } from '@godwit/protocol'
import { SETTINGS, set } from '../definition/settings.js'
import { type Callback, given, type Texts } from './as-text.js'
import { Defining } from './defining.js'

const READ_ONLY: readonly string[] = [
  'associations',
  'loaded',
  'model_name',
  'source_id',
  'fixed_schema',
  'full_update',
  'pass_through',
]

/** A model's own settings: as fields with their types, and by name as text. */
export abstract class Properties extends Defining {
  get model_name(): string {
    return this.state.name
  }

  /** From 1 (user), 20001 (app), 40001 (local). Defines the model. */
  get source_id(): number {
    return this.state.ready().sourceId
  }

  /** `user` or `local` as the sync type has it, unless set. */
  get partition(): string {
    return this.state.definition.partition
  }

  get sync_type(): string {
    return this.state.definition.syncType
  }

  get sync_priority(): number {
    return this.state.definition.syncPriority
  }

  get fixed_schema(): boolean {
    return this.state.definition.storage === 'fixed'
  }

  get freezed(): boolean {
    return this.state.definition.freezed
  }

  get full_update(): boolean {
    return this.state.definition.fullUpdate
  }

  get pass_through(): boolean {
    return this.state.definition.passThrough
  }

  get loaded(): boolean {
    return this.state.isLoaded
  }

  /** `Child,attribute,…`: what holds ids of this model. */
  get associations(): string {
    const { device, name } = this.state
    const children = device.names().flatMap(child => {
      const belongsTo = device.find(child)?.definition.belongsTo ?? new Map<string, readonly string[]>()
      return [...belongsTo].filter(([, owners]) => owners.includes(name)).flatMap(([attribute]) => [child, attribute])
    })
    return children.join(',')
  }

  /** All settings, as text. */
  vars(): Texts {
    return {
      model_name: this.model_name,
      source_id: String(this.source_id),
      partition: this.partition,
      sync_type: this.sync_type,
      sync_priority: String(this.sync_priority),
      fixed_schema: String(this.fixed_schema),
      freezed: String(this.freezed),
      full_update: String(this.full_update),
      pass_through: String(this.pass_through),
      loaded: String(this.loaded),
      associations: this.associations,
      schema_version: String(this.state.definition.schemaVersion),
    }
  }

  has(propertyName: string): boolean {
    return Object.hasOwn(this.vars(), propertyName)
  }

  /** As text, now and to the callback. Undefined where there is no such setting. */
  getProperty(propertyName: string, callback?: Callback<string | undefined>): string | undefined {
    const vars = this.vars()
    return given(Object.hasOwn(vars, propertyName) ? vars[propertyName] : undefined, callback)
  }

  getProperties(arrayofNames: readonly string[], callback?: Callback<Texts>): Texts {
    const chosen = Object.entries(this.vars()).filter(([name]) => arrayofNames.includes(name))
    return given(Object.fromEntries(chosen), callback)
  }

  getAllProperties(callback?: Callback<Texts>): Texts {
    return given(this.vars(), callback)
  }

  setProperty(propertyName: string, propertyValue: unknown): void {
    this.setProperties({ [propertyName]: propertyValue })
  }

  /** All or none. */
  setProperties(propertyMap: { readonly [name: string]: unknown }): void {
    for (const name of Object.keys(propertyMap)) if (READ_ONLY.includes(name)) throw readOnly(name)
    this.state.change(draft => {
      for (const [name, value] of Object.entries(propertyMap)) set(draft, name, value)
    })
  }
}

const readOnly = (name: string): SyncError =>
  new SyncError('definition_invalid', `${name} of a model can only be read; ${SETTINGS.join(', ')} can be set.`)
