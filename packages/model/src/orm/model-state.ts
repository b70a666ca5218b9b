import type { Definition } from '../definition/definition.js'
import { copyOf, type Draft, definitionOf, draftOf, newDraft } from '../definition/draft.js'
import type { Device } from '../records/device-interface.js'
import type { Records } from '../records/records.js'

/** The state shared by all handles of a model: its draft and, once it is defined, its records. */
export class ModelState {
  readonly device: Device
  readonly name: string
  /** All models of this API by name, including those that are declared and not used yet. */
  readonly known: ReadonlyMap<string, ModelState>
  #draft: Draft
  #records: Records | undefined

  /** Starts from the definition of a model that is already defined. */
  constructor(device: Device, name: string, known: ReadonlyMap<string, ModelState>) {
    this.device = device
    this.known = known
    this.name = name
    this.#records = device.find(name)
    this.#draft = this.#records ? draftOf(this.#records.definition) : newDraft(name)
  }

  get definition(): Definition {
    return definitionOf(this.#draft)
  }

  /** The models whose ids each attribute holds, as declared so far. */
  get belongsTo(): Definition['belongsTo'] {
    return this.#draft.belongsTo
  }

  get isLoaded(): boolean {
    return this.#records !== undefined
  }

  /** Defines the model at its first use. */
  ready(): Records {
    if (this.#records) return this.#records
    this.#backOnRollback()
    this.#records = this.device.define(this.definition)
    return this.#records
  }

  /** Changes the definition, and the tables if they exist. If that fails, nothing changes. */
  change(apply: (draft: Draft) => void): void {
    const next = copyOf(this.#draft)
    apply(next)
    if (this.#records) {
      this.#backOnRollback()
      this.device.define(definitionOf(next))
    }
    this.#draft = next
  }

  /** Changes the definition without adapting the tables; the next `change` does that. */
  prepare(apply: (draft: Draft) => void): void {
    apply(this.#draft)
  }

  /** Replaces the definition: settings that are not repeated are removed. Tables are adapted at the end. */
  redefine(define: () => void): void {
    this.device.transaction(() => {
      this.#backOnRollback()
      this.#draft = newDraft(this.name)
      this.#records = undefined
      define()
      this.ready()
    })
  }

  /** Restores the current draft if the open transaction is rolled back. */
  #backOnRollback(): void {
    const [draft, records] = [this.#draft, this.#records]
    this.device.onRollback(() => {
      this.#draft = draft
      this.#records = records
    })
  }
}
