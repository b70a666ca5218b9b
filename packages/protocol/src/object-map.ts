/** Identifies an object within its source and partition: hostile text of 1 to 1,024 bytes (UTF-8), never interpreted. */
export type ObjectId = string

/** Any JSON value. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [name: string]: JsonValue }

/** The value of one attribute. At the top level of an object `null` means absent. */
export type AttributeValue = JsonValue

/** The attributes of one object. Names are hostile text too (`__proto__` is an ordinary name). */
export interface Attributes {
  readonly [name: string]: AttributeValue
}

/** Objects by id. */
export interface ObjectMap {
  readonly [id: ObjectId]: Attributes
}

/** The longest id, in bytes of UTF-8. */
export const MAX_ID_BYTES = 1024

/** How deep the lists and objects of a body may be nested, the body itself included. Devices give values of a fifth of it at most. */
export const MAX_BODY_DEPTH = 1000

/**
 * An empty record that takes any name as plain data, `__proto__` and `constructor` included.
 * Use it wherever names come from outside.
 */
export function emptyRecord<Value>(): Record<string, Value> {
  return Object.create(null) as Record<string, Value>
}

/** True for an object of JSON: neither null nor a list. */
export const isJsonObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
