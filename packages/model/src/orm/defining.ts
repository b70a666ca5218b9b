import type { Migrate } from '../definition/migration.js'
import { enable, set, setAttribute, setBelongsTo, setIndex } from '../definition/settings.js'
import type { ModelState } from './model-state.js'

/** What `getModelProperty` tells. */
export interface PropertyFacts {
  readonly name: string
  readonly type: string
  readonly option: string | null
}

/** The methods that define a model. Unknown names and values throw `definition_invalid`, listing what is allowed; a model in use migrates at once. */
export abstract class Defining {
  protected readonly state: ModelState

  constructor(state: ModelState) {
    this.state = state
  }

  /** Makes or migrates the tables now; else the first use does. */
  initModel(): void {
    this.state.ready()
  }

  /** Switches on `fixed_schema`, `sync`, `full_update` or `pass_through`. */
  enable(propertyName: string): void {
    this.state.change(draft => enable(draft, propertyName))
  }

  /** Hears of another `schema_version`, to bring the data along: set it before the version, in the function of `addModel`. */
  onMigrate(migrate: Migrate | undefined): void {
    this.state.prepare(draft => {
      draft.migrate = migrate
    })
  }

  /** Sets `partition`, `sync_type`, `sync_priority`, `freezed` or `schema_version`, as text or as a value. */
  set(propertyName: string, propertyValue: unknown): void {
    this.state.change(draft => set(draft, propertyName, propertyValue))
  }

  /** Declares an attribute: String (default), Float, Integer, Boolean, Varchar or Blob, in any case. */
  setModelProperty(propertyName: string, propertyType?: string | null, propOption?: string | null): void {
    this.state.change(draft => setAttribute(draft, propertyName, propertyType || undefined, propOption))
  }

  /** Null for an attribute that was not declared. */
  getModelProperty(propertyName: string): PropertyFacts | null {
    const attribute = this.state.definition.attributes.get(propertyName)
    return attribute === undefined ? null : { name: attribute.name, type: attribute.type, option: attribute.option }
  }

  /** The attribute holds ids of the other model's objects: these are synced first, and their ids followed. Called again with another model, it holds ids of either. */
  setBelongsTo(propertyName: string, sourceName: string): void {
    this.state.change(draft => setBelongsTo(draft, propertyName, sourceName))
  }

  /** The models whose ids an attribute holds, or null. */
  getBelongsTo(propertyName: string): readonly string[] | null {
    return this.state.definition.belongsTo.get(propertyName) ?? null
  }

  /** An index; a unique one refuses local saves of what is there already. */
  setSchemaIndex(indexName: string, indexCols: readonly string[] | string, isUnique: boolean = false): void {
    this.state.change(draft => setIndex(draft, indexName, indexCols, isUnique))
  }
}
