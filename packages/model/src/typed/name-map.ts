import { type Attributes, emptyRecord, SyncError } from '@godwit/protocol'
import type { AttributeDefinition, Definition } from '../definition/definition.js'
import { hasMembers } from '../definition/plain-json.js'
import { valueText } from '../definition/value-text.js'
import { storedValueOf } from './attribute-definition.js'
import type { Model } from './infer.js'
import { builtOf } from './t.js'

/** A relation of a model. */
export interface Relation {
  /** The attribute that holds the id, by its name on the server. */
  readonly attribute: string
  readonly model: string
}

/** The mapping between the app's names and the engine's. */
export interface NameMap {
  readonly model: string
  readonly attributes: ReadonlyMap<string, AttributeDefinition>
  readonly relations: ReadonlyMap<string, Relation>
  readonly definition: Definition
  /** True if no name on the server is also a member of `Object.prototype`. */
  readonly isPlain: boolean
  /** Returns the name map of another model. */
  readonly edgeOf: (model: string) => NameMap
}

export function nameMapOf(model: Model, definition: Definition, others: NameMap['edgeOf']): NameMap {
  const attributes = new Map([...definition.attributes.values()].map(one => [one.appName ?? one.name, one]))
  const relations = Object.entries(model.attributes as object).flatMap(([name, given]) => {
    const { as, target } = builtOf(given) ?? {}
    const attribute = attributes.get(name)?.name
    return as === undefined || target === undefined || attribute === undefined
      ? []
      : [[as, { attribute, model: target }] as const]
  })
  const isPlain = [...definition.attributes.keys()].every(name => !(name in {}))
  return { model: model.name, attributes, relations: new Map(relations), definition, isPlain, edgeOf: others }
}

/** Converts the app's attributes to the server's names. `undefined` is omitted. */
export function toAttributes(
  { model, attributes, isPlain = false }: Pick<NameMap, 'model' | 'attributes'> & Partial<NameMap>,
  given: unknown,
): Attributes {
  if (!hasMembers(given))
    throw new SyncError(
      'attribute_invalid',
      `${model}: expected an object with attributes as its members, got ${valueText(given)}. Nothing was stored.`,
    )
  if (isAsStored(attributes, given)) return given
  const result: Record<string, unknown> = isPlain ? {} : emptyRecord()
  for (const name of Object.keys(given)) {
    const value = (given as { readonly [name: string]: unknown })[name]
    if (value !== undefined) result[requireAttribute(model, attributes, name).name] = storedValueOf(value)
  }
  return result as Attributes
}

/** True if every name and value is already in the engine's form, as in most calls. */
function isAsStored(attributes: NameMap['attributes'], given: object): given is Attributes {
  for (const name in given) {
    const value = (given as { readonly [name: string]: unknown })[name]
    if (attributes.get(name)?.name !== name || typeof value === 'object' || value === undefined) return false
  }
  return true
}

function requireAttribute(model: string, attributes: NameMap['attributes'], name: string): AttributeDefinition {
  const attribute = attributes.get(name)
  if (attribute) return attribute
  const names = [...attributes.keys()]
  throw new SyncError(
    'attribute_unknown',
    `${model} has no attribute ${JSON.stringify(name)}: expected one of ${names.join(', ')}. Nothing was stored.`,
    { details: { attribute: name, known: names } },
  )
}
