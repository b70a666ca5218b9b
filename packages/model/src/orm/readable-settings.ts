import { associationsOf } from './model-properties.js'
import type { ModelState } from './model-state.js'

/** The settings of a model, which can be read on the model and on each of its records. */
export class ReadableSettings {
  readonly #state: ModelState

  constructor(state: ModelState) {
    this.#state = state
  }

  get model_name(): string {
    return this.#state.name
  }

  /** The model's number: from 1 (user), 20001 (app) or 40001 (local). Reading it defines the model. */
  get source_id(): number {
    return this.#state.ready().sourceId
  }

  /** The partition that was set; by default `user` for a model that syncs, otherwise `local`. */
  get partition(): string {
    return this.#state.definition.partition
  }

  /** `incremental`, `bulk_only` or `none`. */
  get sync_type(): string {
    return this.#state.definition.syncType
  }

  get sync_priority(): number {
    return this.#state.definition.syncPriority
  }

  get fixed_schema(): boolean {
    return this.#state.definition.storage === 'fixed'
  }

  get freezed(): boolean {
    return this.#state.definition.freezed
  }

  get full_update(): boolean {
    return this.#state.definition.fullUpdate
  }

  get pass_through(): boolean {
    return this.#state.definition.passThrough
  }

  /** True once the model is defined and its tables exist. */
  get loaded(): boolean {
    return this.#state.isLoaded
  }

  /** `Child,attribute,…`: the models and attributes that hold ids of this model. */
  get associations(): string {
    return associationsOf(this.#state)
  }
}
