import type { JsonValue } from './object-map.js'

declare const described: unique symbol

/** A JSON Schema (draft 2020-12), as plain data. */
export interface JsonSchema {
  readonly [keyword: string]: JsonValue | JsonSchema | readonly JsonSchema[] | { readonly [name: string]: JsonSchema }
}

/** A JSON Schema that describes `T`: a schema of another type does not compile in its place. */
export type Schema<T> = JsonSchema & { readonly [described]?: T }

/** A member that may be left out. */
export interface OptionalMember<T> {
  readonly optional: Schema<T>
}

/** One schema per member of `T`: a missing member, a wrong type or a wrong optionality does not compile. */
export type Members<T> = {
  readonly [Name in keyof T]-?: Record<never, never> extends Pick<T, Name>
    ? OptionalMember<Exclude<T[Name], undefined>>
    : Schema<T[Name]>
}

/** Marks a member of `object` that may be absent. */
export const optional = <T>(schema: Schema<T>): OptionalMember<T> => ({ optional: schema })

/** An object with these members; unknown ones are let through (read tolerantly), unless `closed`. */
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

/** A text within the limits, in characters. Default: any text. */
export const string = (limits: { minLength?: number; maxLength?: number; pattern?: string } = {}): Schema<string> => ({
  type: 'string',
  ...limits,
})
/** A whole number within the limits, both included. Default: any. */
export const integer = (limits: { minimum?: number; maximum?: number } = {}): Schema<number> => ({
  type: 'integer',
  ...limits,
})
/** A finite number within the limits, both included. Default: any. */
export const number = (limits: { minimum?: number; maximum?: number } = {}): Schema<number> => ({
  type: 'number',
  ...limits,
})
export const boolean: Schema<boolean> = { type: 'boolean' }
/** Any JSON value. */
export const anything: Schema<JsonValue> = {}

/** This value and no other. */
export const literal = <const Value extends string | number | boolean>(value: Value): Schema<Value> => ({
  const: value,
})
/** One of these texts. */
export const oneOf = <const Value extends string>(...values: readonly Value[]): Schema<Value> => ({
  type: 'string',
  enum: values,
})
/** A list of items of one kind. Default: of any length. */
export const list = <T>(
  items: Schema<T>,
  limits: { minItems?: number; maxItems?: number } = {},
): Schema<readonly T[]> => ({
  type: 'array',
  items,
  ...limits,
})
/** A value that fits one of two schemas, or both. */
export const either = <A, B>(first: Schema<A>, second: Schema<B>): Schema<A | B> => ({ anyOf: [first, second] })
/** A value that fits the schema, or `null`. */
export const nullable = <T>(schema: Schema<T>): Schema<T | null> => ({ anyOf: [schema, { type: 'null' }] })

/** A map of any names to values of one kind. */
export const mapOf = <T>(values: Schema<T>): Schema<{ readonly [name: string]: T }> => ({
  type: 'object',
  additionalProperties: values,
})
