/** The id of an object within its source and partition: untrusted text of 1 to 1,024 bytes (UTF-8), never interpreted. */
export type ObjectId = string

/** Any JSON value. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [name: string]: JsonValue }

/** The value of one attribute. At the top level of an object `null` means absent. */
export type AttributeValue = JsonValue

/** The attributes of one object. Names are untrusted text (`__proto__` is an ordinary name). */
export interface Attributes {
  readonly [name: string]: AttributeValue
}

/** Objects by id. */
export interface ObjectMap {
  readonly [id: ObjectId]: Attributes
}

/** Maximum length of an id, in bytes of UTF-8. */
export const MAX_ID_BYTES = 1024

/** Maximum nesting depth of a body's lists and objects, including the body itself. Values from devices reach at most a fifth of it. */
export const MAX_BODY_DEPTH = 1000

/** Returns an empty record without a prototype, in which `__proto__` and `constructor` are ordinary names. Use it for untrusted names. */
export function emptyRecord<Value>(): Record<string, Value> {
  return Object.create(null) as Record<string, Value>
}

/** True for a JSON object; false for null and lists. */
export const isJsonObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
