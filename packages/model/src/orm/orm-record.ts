import type { Attributes, AttributeValue, ObjectId } from '@godwit/protocol'
import { fit } from '../records/fit.js'
import type { RecordRow } from '../records/records.js'
import { asText, asTexts, type Callback, type Texts, withCallback } from './as-text.js'
import { checkList } from './check-list.js'
import { withTextValues } from './lenient-values.js'
import type { ModelState } from './model-state.js'
import { ReadableSettings } from './readable-settings.js'

/** One object of a `NewORMModel`: `setProperty` changes it in memory, `save` writes it to the database. */
export class OrmRecord extends ReadableSettings {
  readonly #source: ModelState
  #object: ObjectId
  #attributes: Attributes
  /** Attributes set since the last read or save. `save` writes only these, so that it keeps concurrent changes to others. */
  #pending: Attributes = {}
  /** All attributes at the time of `destroy`, including those that were not read before. */
  #destroyed: Attributes | undefined

  constructor(source: ModelState, { object, attributes }: RecordRow) {
    super(source)
    this.#source = source
    this.#object = object
    this.#attributes = attributes
  }

  /** The object's id. After the server has assigned another one, the next `save` updates it. */
  get object(): ObjectId {
    return this.#object
  }

  /** The values in memory, typed and frozen. */
  get attributes(): Attributes {
    return Object.freeze(this.#attributes)
  }

  /** Writes a new object, or the attributes that were set. A destroyed object is created again. */
  save(): void {
    const records = this.#source.ready()
    const row = records.change(this.#object, this.#pending) ?? records.insert(this.#allAttributes(), this.#object)
    this.#object = row.object
    this.#attributes = row.attributes
    this.#pending = {}
    this.#destroyed = undefined
  }

  /** Sets attributes and saves. If the save fails, they are not set, because every later save would fail too. */
  update_attributes(attributes: Attributes = {}): void {
    const [before, pending] = [this.#attributes, this.#pending]
    this.setProperties(attributes)
    try {
      this.save()
    } catch (error) {
      this.#attributes = before
      this.#pending = pending
      throw error
    }
  }

  /** @deprecated Use `update_attributes`. */
  updateAttributes(attributes?: Attributes): void {
    this.update_attributes(attributes)
  }

  /** Deletes the object if it exists. */
  destroy(): void {
    const records = this.#source.ready()
    this.#destroyed = records.get(this.#object)?.attributes ?? this.#destroyed
    records.destroy(this.#object)
  }

  /** Returns the stored value, as text. */
  get(propertyName: string): string | undefined {
    const row = this.#source.ready().get(this.#object)
    return row && this.#text(row, propertyName)
  }

  /** Returns true if the attribute has a value in memory. */
  has(propertyName: string): boolean {
    return this.getProperty(propertyName) !== undefined
  }

  /** Returns the value in memory as text, and passes it to the callback. */
  getProperty(propertyName: string, callback?: Callback<string | undefined>): string | undefined {
    return withCallback(this.#text({ object: this.#object, attributes: this.#attributes }, propertyName), callback)
  }

  getProperties(arrayofNames: readonly string[], callback?: Callback<Texts>): Texts {
    const texts = checkList('getProperties', 'names', arrayofNames).map(name => [name, this.getProperty(name)] as const)
    return withCallback(
      Object.fromEntries(texts.filter((entry): entry is readonly [string, string] => entry[1] !== undefined)),
      callback,
    )
  }

  getAllProperties(callback?: Callback<Texts>): Texts {
    return withCallback(this.vars(), callback)
  }

  /** Sets an attribute in memory, until `save`; `null` removes it. Throws for a value that does not match the declared type. */
  setProperty(propertyName: string, propertyValue: AttributeValue): void {
    this.setProperties({ [propertyName]: propertyValue })
  }

  /** Sets all attributes, or none if one is invalid. */
  setProperties(propertyMap: Attributes): void {
    const { definition } = this.#source.ready()
    const fitted = fit(definition, withTextValues(definition, propertyMap))
    this.#pending = { ...this.#pending, ...fitted }
    this.#attributes = withChanges(this.#attributes, fitted)
  }

  /** Returns all attributes as text, with `object` and `source_id`. */
  vars(): Texts {
    return { ...asTexts(this.#attributes), object: this.#object, source_id: String(this.#source.ready().sourceId) }
  }

  /** Returns true if the object has changes that the server has not decided. */
  changed(): boolean {
    return this.#source.ready().hasChanges(this.#object)
  }

  /** @deprecated Use `changed`. */
  'changed?'(): boolean {
    return this.changed()
  }

  #allAttributes(): Attributes {
    return this.#destroyed ? withChanges(this.#destroyed, this.#pending) : this.#attributes
  }

  #text({ object, attributes }: RecordRow, name: string): string | undefined {
    if (name === 'object') return object
    if (name === 'source_id') return String(this.#source.ready().sourceId)
    return Object.hasOwn(attributes, name) ? asText(attributes[name]) : undefined
  }
}

/** Returns attributes with changes applied; `null` removes one. */
const withChanges = (attributes: Attributes, changes: Attributes): Attributes =>
  Object.fromEntries(Object.entries({ ...attributes, ...changes }).filter(([, value]) => value !== null))
