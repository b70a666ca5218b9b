import type { Attributes, AttributeValue } from '@godwit/protocol'

/** Values by name, as text. */
export interface Texts {
  readonly [name: string]: string
}

/** Returns a value as text: `4` is '4', `true` is 'true', lists and objects are JSON. Undefined if missing. */
export function asText(value: AttributeValue | undefined): string | undefined {
  if (value === undefined || value === null) return undefined
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Returns all values as text, without absent ones. */
export function asTexts(attributes: Attributes): Texts {
  const texts = Object.entries(attributes).map(([name, value]) => [name, asText(value)] as const)
  return Object.fromEntries(texts.filter((entry): entry is readonly [string, string] => entry[1] !== undefined))
}

export type Callback<Value> = ((value: Value) => void) | null | undefined

/** Returns the value, and passes it to the callback in a later turn. */
export function withCallback<Value>(value: Value, callback: Callback<Value>): Value {
  if (typeof callback === 'function') queueMicrotask(() => callback(value))
  return value
}
