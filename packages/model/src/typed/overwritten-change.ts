import type { Attributes } from '@godwit/protocol'
import type { Overwritten } from '../definition/reported-changes.js'
import type { Device } from '../records/device-interface.js'

/** An applied change that replaced values of others, with the actions that end it. The change stays unless `restore` is called. */
export class OverwrittenChange<Name extends string = string> implements Overwritten<Name> {
  readonly id: number
  readonly model: Name
  readonly object: string
  readonly operation: Overwritten['operation']
  readonly attributes: Attributes
  readonly overwrote: Attributes
  readonly at: string
  readonly #device: Device

  constructor(device: Device, overwritten: Overwritten<Name>) {
    this.#device = device
    this.id = overwritten.id
    this.model = overwritten.model
    this.object = overwritten.object
    this.operation = overwritten.operation
    this.attributes = overwritten.attributes
    this.overwrote = overwritten.overwrote
    this.at = overwritten.at
  }

  /** Writes the values of the others again, and removes this from the list. An object that was deleted since an update stays deleted. */
  restore(): void {
    const records = this.#device.find(this.model)
    if (!records) return
    this.#device.transaction(() => {
      if (this.operation === 'update') records.changeAgain(this.object, this.overwrote)
      else if (!records.get(this.object)) records.insertAgain(this.overwrote, this.object)
      this.dismiss()
    })
  }

  /** Removes this from the list; the change stays. */
  dismiss(): void {
    this.#device.dismissOverwritten(this)
  }
}
