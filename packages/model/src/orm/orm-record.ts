import type { Attributes, AttributeValue, ObjectId } from '@godwit/protocol'
import type { Records, Row } from '../records/records.js'
import { asText, asTexts, type Callback, given, type Texts } from './as-text.js'

/** One object of a model, as the document handles it: `setProperty` changes memory, `save` the database. */
export class OrmRecord {
  readonly #records: () => Records
  #object: ObjectId | undefined
  #attributes: Attributes

  constructor(
    records: () => Records,
    { object, attributes }: { readonly object: ObjectId | undefined; readonly attributes: Attributes },
  ) {
    this.#records = records
    this.#object = object
    this.#attributes = attributes
  }

  /** Its id; undefined until it was saved. */
  get object(): ObjectId | undefined {
    return this.#object
  }

  /** Typed values, frozen. */
  get attributes(): Attributes {
    return Object.freeze({ ...this.#attributes })
  }

  /** Inserts or updates. */
  save(): void {
    const present = this.#object === undefined ? undefined : this.#records().get(this.#object)
    const row = present === undefined ? this.#records().insert(this.#attributes, this.#object) : this.#change(present)
    this.#take(row)
  }

  /** Writes what differs from the database, and keeps it. */
  update_attributes(attributes: Attributes): void {
    const row = this.#object === undefined ? undefined : this.#records().change(this.#object, attributes)
    this.#take(row ?? this.#records().insert({ ...this.#attributes, ...attributes }, this.#object))
  }

  /** @deprecated use update_attributes */
  updateAttributes(attributes: Attributes): void {
    this.update_attributes(attributes)
  }

  /** Removes it. Does nothing if it is not there. */
  destroy(): void {
    if (this.#object !== undefined) this.#records().destroy(this.#object)
  }

  /** The value that the database holds, as text. */
  get(name: string): string | undefined {
    if (this.#object === undefined) return undefined
    if (name === 'object') return this.#object
    if (name === 'source_id') return String(this.#records().sourceId)
    return asText(own(this.#records().get(this.#object)?.attributes ?? {}, name))
  }

  has(name: string): boolean {
    return name === 'object' ? this.#object !== undefined : own(this.#attributes, name) !== undefined
  }

  getProperty(name: string, callback?: Callback<string | undefined>): string | undefined {
    return given(name === 'object' ? this.#object : asText(own(this.#attributes, name)), callback)
  }

  getProperties(names: readonly string[], callback?: Callback<Texts>): Texts {
    const chosen = names.map(name => [name, own(this.#attributes, name)] as const)
    return given(asTexts(Object.fromEntries(chosen.filter(([, value]) => value !== undefined)) as Attributes), callback)
  }

  getAllProperties(callback?: Callback<Texts>): Texts {
    return given(this.vars(), callback)
  }

  /** In memory, until `save`. */
  setProperty(name: string, value: AttributeValue): void {
    this.setProperties({ [name]: value })
  }

  setProperties(values: Attributes): void {
    this.#attributes = { ...this.#attributes, ...values }
  }

  /** Everything as text, with `object` and `source_id`. */
  vars(): Texts {
    const object = this.#object === undefined ? {} : { object: this.#object }
    return { ...asTexts(this.#attributes), ...object, source_id: String(this.#records().sourceId) }
  }

  /** Whether it has local changes that the server has not decided. */
  changed(): boolean {
    return this.#object !== undefined && this.#records().hasChanges(this.#object)
  }

  /** @deprecated use hasChanges of the model */
  'changed?'(): boolean {
    return this.changed()
  }

  /** What memory lacks goes from the database too: a record is the whole object. */
  #change({ object, attributes }: Row): Row {
    const gone = Object.keys(attributes).filter(name => own(this.#attributes, name) === undefined)
    const changes = { ...this.#attributes, ...Object.fromEntries(gone.map(name => [name, null])) }
    return this.#records().change(object, changes) ?? this.#records().insert(this.#attributes, object)
  }

  #take({ object, attributes }: Row): void {
    this.#object = object
    this.#attributes = attributes
  }
}

const own = (attributes: Attributes, name: string): AttributeValue | undefined =>
  Object.hasOwn(attributes, name) ? (attributes[name] ?? undefined) : undefined
