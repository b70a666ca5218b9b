import { escapeHtml } from './html.js'

/** The parts of JSON Schema that the contract's schemas use. */
export interface AnySchema {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly AnySchema[]
  readonly items?: AnySchema
  readonly properties?: { readonly [name: string]: AnySchema }
  readonly required?: readonly string[]
  readonly additionalProperties?: AnySchema | false
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

/** Returns the last part of a `$ref`, which is the name of a message. */
export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

/** Returns the kind of value of a schema as HTML; messages link to their definitions. */
export function kindOf(schema: AnySchema): string {
  const { $ref, type, anyOf, items, additionalProperties } = schema
  if ($ref !== undefined) return `<a href="#${nameOf($ref)}">${nameOf($ref)}</a>`
  if (schema.const !== undefined) return code(schema.const)
  if (schema.enum) return schema.enum.map(code).join(' or ')
  if (anyOf && !schema.properties) return anyOf.map(kindOf).join(' or ')
  if (items) return `list of ${kindOf(items)}${limits(schema.minItems, schema.maxItems, '')}`
  if (schema.properties) return 'object'
  if (additionalProperties) return `map of ${kindOf(additionalProperties)}`
  if (type === 'string') return `text${limits(schema.minLength, schema.maxLength, ' characters')}`
  if (type === 'integer' || type === 'number') return `${type}${limits(schema.minimum, schema.maximum, '')}`
  return type ?? 'any value'
}

const code = (value: unknown): string => `<code>${escapeHtml(JSON.stringify(value))}</code>`

function limits(least: number | undefined, most: number | undefined, unit: string): string {
  const top = most === Number.MAX_SAFE_INTEGER ? undefined : most
  if (least === undefined && top === undefined) return ''
  if (top === undefined) return least === 1 && unit !== '' ? ', not empty' : `, from ${least}`
  return least === undefined ? `, at most ${number(top)}${unit}` : `, ${number(least)} to ${number(top)}${unit}`
}

const number = (value: number): string => value.toLocaleString('en')
