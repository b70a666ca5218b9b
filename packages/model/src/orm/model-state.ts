import type { Definition } from '../definition/definition.js'
import { copyOf, type Draft, definitionOf, draftOf, newDraft } from '../definition/draft.js'
import type { Device } from '../device.js'
import type { Records } from '../records/records.js'

/** What all handles of one model share: how it is being defined and, once it is, its records. */
export class ModelState {
  readonly device: Device
  readonly name: string
  #draft: Draft
  #records: Records | undefined

  /** A model that is defined already goes on from there. */
  constructor(device: Device, name: string) {
    this.device = device
    this.name = name
    this.#records = device.find(name)
    this.#draft = this.#records ? draftOf(this.#records.definition) : newDraft(name)
  }

  get definition(): Definition {
    return definitionOf(this.#draft)
  }

  get isLoaded(): boolean {
    return this.#records !== undefined
  }

  /** The first use defines the model. */
  ready(): Records {
    if (this.#records) return this.#records
    this.#backOnRollback()
    this.#records = this.device.define(this.definition)
    return this.#records
  }

  /** Changes the definition, and the tables if there are any; where that fails nothing is changed. */
  change(apply: (draft: Draft) => void): void {
    const next = copyOf(this.#draft)
    apply(next)
    if (this.#records) {
      this.#backOnRollback()
      this.device.define(definitionOf(next))
    }
    this.#draft = next
  }

  /** For the next change of the definition: the tables stay. */
  prepare(apply: (draft: Draft) => void): void {
    apply(this.#draft)
  }

  /** Replaces the definition: settings that are not made again are removed. Tables are adapted when it is done. */
  redefine(define: () => void): void {
    this.device.transaction(() => {
      this.#backOnRollback()
      this.#draft = newDraft(this.name)
      this.#records = undefined
      define()
      this.ready()
    })
  }

  /** As it is now, where the tables that follow go with a transaction. */
  #backOnRollback(): void {
    const [draft, records] = [this.#draft, this.#records]
    this.device.onRollback(() => {
      this.#draft = draft
      this.#records = records
    })
  }
}
