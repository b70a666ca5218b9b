import type { JsonValue } from './object-map.js'

declare const described: unique symbol

/** A JSON Schema (draft 2020-12), as plain data. */
export interface JsonSchema {
  readonly [keyword: string]: JsonValue | JsonSchema | readonly JsonSchema[] | { readonly [name: string]: JsonSchema }
}

/** A JSON Schema that describes `T`. A schema of another type does not compile where this one is expected. */
export type Schema<T> = JsonSchema & { readonly [described]?: T }

/** An optional member. */
export interface OptionalMember<T> {
  readonly optional: Schema<T>
}

/** One schema for each member of `T`: a missing member, a wrong type or wrong optionality does not compile. */
export type Members<T> = {
  readonly [Name in keyof T]-?: Record<never, never> extends Pick<T, Name>
    ? OptionalMember<Exclude<T[Name], undefined>>
    : Schema<T[Name]>
}

/** Marks a member of `object` as optional. */
export const optional = <T>(schema: Schema<T>): OptionalMember<T> => ({ optional: schema })

/** An object with these members. Other members are allowed unless `closed`. */
export function object<T>(members: Members<T>, options: { closed?: boolean } = {}): Schema<T> {
  const properties: Record<string, JsonSchema> = {}
  const required: string[] = []
  for (const [name, member] of Object.entries(members as Record<string, Schema<unknown> | OptionalMember<unknown>>)) {
    if (isOptional(member)) properties[name] = member.optional
    else {
      properties[name] = member
      required.push(name)
    }
  }
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    ...(options.closed && { additionalProperties: false }),
  }
}

const isOptional = (member: Schema<unknown> | OptionalMember<unknown>): member is OptionalMember<unknown> =>
  typeof member['optional'] === 'object'

/** Text within the limits, in characters. Default: no limits. */
export const string = (limits: { minLength?: number; maxLength?: number; pattern?: string } = {}): Schema<string> => ({
  type: 'string',
  ...limits,
})
/** An integer within the limits, inclusive. Default: no limits. */
export const integer = (limits: { minimum?: number; maximum?: number } = {}): Schema<number> => ({
  type: 'integer',
  ...limits,
})
/** A finite number within the limits, inclusive. Default: no limits. */
export const number = (limits: { minimum?: number; maximum?: number } = {}): Schema<number> => ({
  type: 'number',
  ...limits,
})
export const boolean: Schema<boolean> = { type: 'boolean' }
/** Any JSON value. */
export const anything: Schema<JsonValue> = {}

/** Exactly this value. */
export const literal = <const Value extends string | number | boolean>(value: Value): Schema<Value> => ({
  const: value,
})
/** One of these texts. */
export const oneOf = <const Value extends string>(...values: readonly Value[]): Schema<Value> => ({
  type: 'string',
  enum: values,
})
/** A list of items that fit a schema. Default: any length. */
export const list = <T>(
  items: Schema<T>,
  limits: { minItems?: number; maxItems?: number } = {},
): Schema<readonly T[]> => ({
  type: 'array',
  items,
  ...limits,
})
/** A value that fits either schema, or both. */
export const either = <A, B>(first: Schema<A>, second: Schema<B>): Schema<A | B> => ({ anyOf: [first, second] })
/** A value that fits the schema, or `null`. */
export const nullable = <T>(schema: Schema<T>): Schema<T | null> => ({ anyOf: [schema, { type: 'null' }] })

/** A map of any names to values that fit a schema. */
export const mapOf = <T>(values: Schema<T>): Schema<{ readonly [name: string]: T }> => ({
  type: 'object',
  additionalProperties: values,
})
