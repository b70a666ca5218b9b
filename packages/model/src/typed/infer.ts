import type { BlobRef, Kinds } from '../definition/attribute-types.js'
import type { Attribute, ValueOf } from './attribute.js'

type ReservedName = 'id' | 'and' | 'or' | 'sql'
/** The attributes that `defineModel` takes, by name, each made by `t`. */
export type Attributes = { readonly [name: string]: Attribute } & {
  readonly [Name in ReservedName]?: `'${Name}' is reserved`
}

/** A model made by `defineModel`, to be opened by an SDK. */
export interface Model<
  Name extends string = string,
  A = unknown,
  Searched extends string = string,
  By extends string = string,
> {
  readonly name: Name
  readonly attributes: A
  readonly textSearch: readonly Searched[]
  readonly by: readonly By[]
}

/** Models by name. Interfaces are allowed, so that an app can name all of its models: `interface AppModels extends All {}`. */
export type Models<Ms> = Record<keyof Ms, Model>

export type KeyOf<A> = keyof A & string
export type KeysOfKind<A, Kind extends keyof Kinds> = {
  [K in keyof A]: A[K] extends Attribute<Kind> ? K : never
}[keyof A] &
  string

/** Expands a type, so that hovers and errors show its members. */
export type Flat<T> = T extends infer O ? { [K in keyof O]: O[K] } : never

type DisplayedOf<At> = At extends { readonly presence: 'optional' } ? ValueOf<At> | undefined : ValueOf<At>
/** The value that a write accepts. A file is given as its path or `file:` URI, bytes, a row's value, or the platform's `File` type. */
export type WrittenOf<At, File> = At extends { readonly kind: 'blob' }
  ? BlobRef | Uint8Array | string | File
  : ValueOf<At>
/** `null`, which removes an optional value or resets an attribute to its default. */
export type ResetOf<At> = At extends { readonly presence: 'required' } ? never : null
type OmittableKey<A> = { [K in keyof A]: A[K] extends { readonly presence: 'required' } ? never : K }[keyof A]

/** The row type of a model. */
export type RowOf<M extends Model> = Row<M['attributes'], KeyOf<M['attributes']>, unknown>
/** The argument of `create`. `undefined` counts as omitted. */
export type CreateOf<M extends Model> = CreateFor<M['attributes']>
/** The argument of `update`: omitted and undefined attributes stay, `null` removes one or resets it to its default. */
export type ChangeOf<M extends Model> = ChangeFor<M['attributes']>

export type CreateFor<A> = Flat<
  { readonly [K in Exclude<keyof A, OmittableKey<A>>]: WrittenOf<A[K], never> } & {
    readonly [K in OmittableKey<A>]?: WrittenOf<A[K], never> | undefined
  }
>
export type ChangeFor<A> = Flat<{ readonly [K in keyof A]?: WrittenOf<A[K], never> | ResetOf<A[K]> | undefined }>

/** A row with some attributes and joined rows. Mapped over the attributes to keep their doc comments. */
export type Row<A, S, Joined> = Flat<
  { readonly id: string } & { readonly [K in keyof A as K extends S ? K : never]: DisplayedOf<A[K]> } & Joined
>

/** The attributes of the model `Name` among the models `Ms`. */
export type AttributesOf<Name, Ms> = Name extends keyof Ms
  ? Ms[Name] extends Model<string, infer A>
    ? A
    : never
  : never
export type SearchedOf<Name, Ms> = Name extends keyof Ms
  ? Ms[Name] extends Model<string, unknown, infer S>
    ? S
    : never
  : never
/** The parameters that name a partition of the model `Name`. */
export type ParametersOf<Name, Ms> = Name extends keyof Ms
  ? Ms[Name] extends Model<string, infer A, string, infer By>
    ? { readonly [K in By & keyof A]: ValueOf<A[K]> }
    : never
  : never
/** The names of the attributes of the model `Name`. */
export type KeyIn<Name, Ms> = keyof AttributesOf<Name, Ms> & string
export type FullRow<Name, Ms> = Row<AttributesOf<Name, Ms>, KeyIn<Name, Ms>, unknown>

/** `as` → the name of the related model. */
type RelationsOf<A> = {
  readonly [K in keyof A as A[K] extends { readonly as: infer As extends string } ? As : never]: A[K] extends {
    readonly target: infer Target
  }
    ? Target
    : never
}
export type RelationIn<Name, Ms> = keyof RelationsOf<AttributesOf<Name, Ms>>
export type TargetOf<Name, Ms, As> = As extends RelationIn<Name, Ms> ? RelationsOf<AttributesOf<Name, Ms>>[As] : never
