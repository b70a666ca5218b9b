import type { BlobRef, Kinds } from '../definition/attribute-types.js'
import type { Presence } from '../definition/definition.js'

declare const VALUE: unique symbol

/** The subset of `Blob` that is used, so that no DOM types are required. `File` satisfies it. */
export interface BlobLike {
  readonly size: number
  readonly type: string
  arrayBuffer(): Promise<ArrayBuffer>
}

/** A declared attribute; `t` creates them. */
export interface Attribute<Kind extends keyof Kinds = keyof Kinds, P extends Presence = Presence> {
  readonly kind: Kind
  readonly presence: P
  readonly [VALUE]: Kinds[Kind]
}
/** The result of a builder of `t`: an attribute that `create` requires. */
export interface RequiredAttribute<Kind extends keyof Kinds> extends Attribute<Kind, 'required'> {
  /** Makes the attribute optional: it may be absent. */
  optional(): Attribute<Kind, 'optional'>
  /** Sets a default: `create` stores it if the attribute is omitted, and rows without a valid value show it. */
  default(value: Kinds[Kind]): Attribute<Kind, 'default'>
}

/** A text attribute whose value is one of a fixed list. */
export interface Enum<Value extends string, P extends Presence> extends Attribute<'enum', P> {
  readonly [VALUE]: Value
}
/** The result of `t.enum`: an attribute that `create` requires. */
export interface RequiredEnum<Value extends string> extends Enum<Value, 'required'> {
  /** Makes the attribute optional: it may be absent. */
  optional(): Enum<Value, 'optional'>
  /** Sets a default: `create` stores it if the attribute is omitted, and rows without a valid value show it. */
  default(value: Value): Enum<Value, 'default'>
}

/** An attribute that holds any JSON value, stored as text and read as frozen data. */
export interface Json<Value, P extends Presence> extends Attribute<'json', P> {
  readonly [VALUE]: Value
}
/** The result of `t.json`. JSON has no empty value, so call `.optional()` or `.default(value)` to complete it. */
export interface UnfinishedJson<Value> {
  readonly kind: 'json'
  readonly presence: 't.json() is no attribute before .optional() or .default(value)'
  readonly [VALUE]: unknown
  optional(): Json<Value, 'optional'>
  default(value: Frozen<Value>): Json<Value, 'default'>
}
/** The result of `t.blob`. A file has no empty value, so call `.optional()` to complete it. */
export interface UnfinishedBlob {
  readonly kind: 'blob'
  readonly presence: 't.blob() is no attribute before .optional()'
  readonly [VALUE]: BlobRef
  optional(): Attribute<'blob', 'optional'>
}

/** An attribute that holds the id of an object of the model `Target`. `As` is the relation's name in rows and conditions. */
export interface BelongsTo<Target extends string, As extends string, P extends Presence>
  extends Attribute<'belongsTo', P> {
  readonly target: Target
  readonly as: As
}
/** The result of `t.belongsTo`: a reference that `create` requires. */
export interface RequiredBelongsTo<Target extends string, As extends string> extends BelongsTo<Target, As, 'required'> {
  /** Makes the reference optional: it may be absent. */
  optional(): BelongsTo<Target, As, 'optional'>
}

/** Options for the name of an attribute. */
export interface AttributeNaming {
  /** The attribute's name on the server. Default: its name in the app. */
  readonly serverName?: string
}

/** The subset of Standard Schema that is used; Zod, Valibot and ArkType implement it. `validate` must be synchronous. */
export interface StandardSchema<Value> {
  readonly '~standard': { validate(value: unknown): unknown; readonly types?: { readonly output: Value } | undefined }
}

/** The read-only type of a JSON value in rows; `never` for types that JSON cannot represent. */
export type Frozen<V> = unknown extends V
  ? V
  : V extends string | number | boolean | null | undefined
    ? V
    : V extends Date | bigint | symbol | ((...values: never) => unknown)
      ? never
      : { readonly [K in keyof V]: Frozen<V[K]> }

/** The value of an attribute in a row. */
export type ValueOf<At> = At extends { readonly kind: 'json'; readonly [VALUE]: infer V }
  ? Frozen<V>
  : At extends Attribute
    ? At[typeof VALUE]
    : never
