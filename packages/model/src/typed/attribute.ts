import type { BlobRef, Kinds } from '../definition/attribute-types.js'
import type { Presence } from '../definition/definition.js'

declare const VALUE: unique symbol

/** The part of `Blob` that is used, so that no DOM library is needed. `File` fits. */
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
  /** Gives the attribute a default, which `create` stores if it is omitted, and which a row without a fitting value shows. */
  default(value: Kinds[Kind]): Attribute<Kind, 'default'>
}

/** A text attribute with one of a fixed list of values. */
export interface Enum<Value extends string, P extends Presence> extends Attribute<'enum', P> {
  readonly [VALUE]: Value
}
/** The result of `t.enum`: a value that `create` requires. */
export interface RequiredEnum<Value extends string> extends Enum<Value, 'required'> {
  /** Makes the attribute optional: it may be absent. */
  optional(): Enum<Value, 'optional'>
  /** Gives the attribute a default, which `create` stores if it is omitted, and which a row without a fitting value shows. */
  default(value: Value): Enum<Value, 'default'>
}

/** An attribute with any JSON value, stored as text and read as frozen data. */
export interface Json<Value, P extends Presence> extends Attribute<'json', P> {
  readonly [VALUE]: Value
}
/** JSON has no empty value, so this is an attribute only after `.optional()` or `.default(value)`. */
export interface UnfinishedJson<Value> {
  readonly kind: 'json'
  readonly presence: 't.json() is no attribute before .optional() or .default(value)'
  readonly [VALUE]: unknown
  optional(): Json<Value, 'optional'>
  default(value: Frozen<Value>): Json<Value, 'default'>
}
/** A file has no empty value, so this is an attribute only after `.optional()`. */
export interface UnfinishedBlob {
  readonly kind: 'blob'
  readonly presence: 't.blob() is no attribute before .optional()'
  readonly [VALUE]: BlobRef
  optional(): Attribute<'blob', 'optional'>
}

/** An attribute with the id of an object of the model `Target`; `As` is the name of the relation in rows and conditions. */
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

/** Options of an attribute that has another name on the server. */
export interface AttributeNaming {
  /** The name on the server, if it differs. */
  readonly serverName?: string
}

/** The part of Standard Schema that is used; Zod, Valibot and ArkType implement it. It has to be synchronous. */
export interface StandardSchema<Value> {
  readonly '~standard': { validate(value: unknown): unknown; readonly types?: { readonly output: Value } | undefined }
}

/** The frozen value that JSON returns. `never`: JSON cannot hold it. */
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
