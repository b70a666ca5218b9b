import { type Attributes, SyncError } from '@godwit/protocol'
import type { Refusal } from '../definition/reported-changes.js'
import type { Device } from '../records/device-interface.js'
import { toAttributes } from './name-map.js'
import type { UpdateAttributes } from './typed-model.js'

/** The argument of `edit` for a model. */
export type EditOf<Name, Ms> = Name extends keyof Ms ? UpdateAttributes<Name, Ms> : Attributes

/** A refused change of one of these models. Its `model` determines the argument type of `edit`. */
export type RefusedChangeOf<Name extends string, Ms> = Name extends string
  ? RefusedChange<Name, EditOf<Name, Ms>>
  : never

/** A refused change with the actions to resolve it. It is already rolled back, and stays so unless an action is called. */
export class RefusedChange<Name extends string = string, Edit = Attributes> implements Refusal<Name> {
  readonly id: number
  readonly model: Name
  readonly object: string
  readonly operation: Refusal['operation']
  readonly status: Refusal['status']
  readonly attributes: Attributes
  readonly was: Attributes
  readonly error: Refusal['error']
  readonly at: string
  readonly #device: Device

  constructor(device: Device, refusal: Refusal<Name>) {
    this.#device = device
    this.id = refusal.id
    this.model = refusal.model
    this.object = refusal.object
    this.operation = refusal.operation
    this.status = refusal.status
    this.attributes = refusal.attributes
    this.was = refusal.was
    this.error = refusal.error
    this.at = refusal.at
  }

  /** Makes the same change again; the next sync sends it. */
  retry(): void {
    this.#device.resolveRefusal(this, this.operation === 'create' ? 'recreate' : 'retry')
  }

  /** Makes the change again with these values replaced. Throws `action_unknown` for a refused delete. */
  edit(changes: Edit): void {
    if (this.operation === 'delete')
      throw new SyncError('action_unknown', 'A refused delete has nothing to edit: retry or dismiss it.')
    const records = this.#device.find(this.model)
    if (!records) return
    const declared = [...records.definition.attributes.values()]
    const names = new Map(declared.map(one => [one.appName ?? one.name, one]))
    const given = records.definition.typed
      ? toAttributes({ model: this.model, attributes: names }, changes)
      : (changes as Attributes)
    const wanted = { ...this.attributes, ...given }
    this.#device.transaction(() => {
      if (this.operation === 'update') records.changeAgain(this.object, wanted)
      else if (!records.get(this.object)) records.insertAgain(present(wanted), this.object)
      this.dismiss()
    })
  }

  /** Removes the change from the list; it stays rolled back. */
  dismiss(): void {
    this.#device.dismissRefusal(this)
  }
}

const present = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null))
