import type { BlobRef, Kinds } from '../definition/attribute-types.js'
import type { Presence } from '../definition/definition.js'

declare const VALUE: unique symbol

/** The part of `Blob` that is used, so that no DOM library is needed. `File` is one. */
export interface BlobLike {
  readonly size: number
  readonly type: string
  arrayBuffer(): Promise<ArrayBuffer>
}

/** An attribute as it is declared; `t` makes them. */
export interface Attribute<Kind extends keyof Kinds = keyof Kinds, P extends Presence = Presence> {
  readonly kind: Kind
  readonly presence: P
  readonly [VALUE]: Kinds[Kind]
}
/** What a builder of `t` returns: an attribute that `create` has to be given. */
export interface RequiredAttribute<Kind extends keyof Kinds> extends Attribute<Kind, 'required'> {
  /** It may be absent. */
  optional(): Attribute<Kind, 'optional'>
  /** Never absent: this is what `create` stores where it is left out, and what a row without a fitting value shows. */
  default(value: Kinds[Kind]): Attribute<Kind, 'default'>
}

/** A text attribute with one of a fixed list of values. */
export interface Enum<Value extends string, P extends Presence> extends Attribute<'enum', P> {
  readonly [VALUE]: Value
}
/** What `t.enum` returns: a value that `create` has to be given. */
export interface RequiredEnum<Value extends string> extends Enum<Value, 'required'> {
  /** It may be absent. */
  optional(): Enum<Value, 'optional'>
  /** Never absent: this is what `create` stores where it is left out, and what a row without a fitting value shows. */
  default(value: Value): Enum<Value, 'default'>
}

/** An attribute with any JSON value, stored as text and read as frozen data. */
export interface Json<Value, P extends Presence> extends Attribute<'json', P> {
  readonly [VALUE]: Value
}
/** JSON has no empty value: it is no attribute before `.optional()` or `.default(value)`. */
export interface UnfinishedJson<Value> {
  readonly kind: 'json'
  readonly presence: 't.json() is no attribute before .optional() or .default(value)'
  readonly [VALUE]: unknown
  optional(): Json<Value, 'optional'>
  default(value: Frozen<Value>): Json<Value, 'default'>
}
/** A file has no empty value: it is no attribute before `.optional()`. */
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
/** What `t.belongsTo` returns: a reference that `create` has to be given. */
export interface RequiredBelongsTo<Target extends string, As extends string> extends BelongsTo<Target, As, 'required'> {
  /** It may be absent. */
  optional(): BelongsTo<Target, As, 'optional'>
}

/** The options of a builder of `t` for an attribute that has another name at the server. */
export interface AttributeNaming {
  /** The attribute's name at the server, where it differs. */
  readonly serverName?: string
}

/** The part of Standard Schema that is used: Zod, Valibot and ArkType have it. It has to answer at once. */
export interface StandardSchema<Value> {
  readonly '~standard': { validate(value: unknown): unknown; readonly types?: { readonly output: Value } | undefined }
}

/** What JSON gives back, frozen as rows are. `never`: JSON cannot hold it. */
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
