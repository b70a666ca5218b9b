import type { OpaqueKind, OrderedKind } from '../definition/attribute-types.js'
import type { Attribute, ValueOf } from './attribute.js'
import type { AttributesOf, KeyIn, KeyOf, KeysOfKind, RelationIn, Row, SearchedOf, TargetOf } from './infer.js'

/** The order of an attribute: ascending or descending. */
export type Direction = 'asc' | 'desc'
export type SqlValue = string | number | boolean | null | Date

interface Equality<V, Null> {
  readonly '='?: V | Null
  readonly '<>'?: V | Null
  readonly in?: readonly V[]
  readonly 'not in'?: readonly V[]
}
interface Comparison<V, Null> extends Equality<V, Null> {
  readonly '<'?: V
  readonly '<='?: V
  readonly '>'?: V
  readonly '>='?: V
}
interface TextComparison<Null> extends Comparison<string, Null> {
  readonly like?: string
}
/** A `Date`, by one member that no text and no number has: editors would offer all methods of a `Date` beside the operators. */
export interface AnyDate {
  [Symbol.toPrimitive](hint: 'default'): string
}
type ComparedOf<At> = At extends { readonly kind: 'timestamp' } ? AnyDate : ValueOf<At>
type NullOf<At> = At extends { readonly presence: 'optional' } ? null : never
type Operators<At, Null> =
  At extends Attribute<'string'>
    ? TextComparison<Null>
    : At extends Attribute<OrderedKind>
      ? Comparison<ComparedOf<At>, Null>
      : Equality<ComparedOf<At>, Null>
type ConditionKey<A> = Exclude<KeyOf<A>, KeysOfKind<A, OpaqueKind>>

/** All have to hold. A relation's condition holds if the other object is on the device and fits. */
// One mapped type without aliases for its values: errors show the values, and no other part of it.
export type Conditions<Name, Ms> = {
  readonly [K in ConditionName<Name, Ms>]?: K extends 'or' | 'and'
    ? readonly Conditions<Name, Ms>[]
    : K extends 'sql'
      ? readonly [expression: string, ...values: readonly SqlValue[]]
      : K extends 'id'
        ? string | Equality<string, never>
        : K extends keyof AttributesOf<Name, Ms>
          ?
              | ComparedOf<AttributesOf<Name, Ms>[K]>
              | NullOf<AttributesOf<Name, Ms>[K]>
              | Operators<AttributesOf<Name, Ms>[K], NullOf<AttributesOf<Name, Ms>[K]>>
          : Conditions<TargetOf<Name, Ms, K>, Ms>
}
type ConditionName<Name, Ms> = ConditionKey<AttributesOf<Name, Ms>> | RelationIn<Name, Ms> | 'id' | 'or' | 'and' | 'sql'

/** Relations to load with a row: `true`, or which of their attributes and relations. */
export type With<Name, Ms> = {
  readonly [As in RelationIn<Name, Ms>]?: true | NestedOptions<TargetOf<Name, Ms, As>, Ms>
}
/** What `with` is where it is left out. */
export type NoRelations = Record<never, never>
interface NestedOptions<Name, Ms> {
  readonly select?: readonly (keyof AttributesOf<Name, Ms> & string)[]
  readonly with?: With<Name, Ms>
}

/**
 * Refuses names in `with` that no relation has: TypeScript looks for those in no inferred type by itself.
 * Where nothing is given, as in the constraint of `W`, it ends at once: the check of an app is a fifth shorter for it.
 */
type NoUnknown<W, Name, Ms> = object extends W
  ? unknown
  : {
      readonly [As in keyof W]: As extends RelationIn<Name, Ms>
        ? NoUnknownIn<W[As], TargetOf<Name, Ms, As>, Ms>
        : NoRelation<As, RelationIn<Name, Ms>>
    }
type NoUnknownIn<N, Name, Ms> = object extends N
  ? unknown
  : {
      readonly [K in keyof N]: K extends 'select'
        ? unknown
        : K extends 'with'
          ? NoUnknown<N[K], Name, Ms>
          : NoOption<K, 'select' | 'with'>
    }
/** What was given, or what it should have been: as an intersection of both, errors would show both. */
type KnownRelations<W, Name, Ms> = W extends NoUnknown<W, Name, Ms> ? W : NoUnknown<W, Name, Ms>
interface NoRelation<Given, Known> {
  readonly given: Given
  readonly known: Known
}
interface NoOption<Given, Known> {
  readonly given: Given
  readonly known: Known
}

/** Which attributes and relations rows have. */
export interface RowOptions<Name, Ms, S, W> {
  /** Only these attributes, and `id`. */
  readonly select?: readonly S[] | undefined
  // With: editors complete by it; an inferred type alone offers nothing.
  /** Rows of the models it belongs to, by the names that `as` gave. */
  readonly with?: (With<Name, Ms> & KnownRelations<W, Name, Ms>) | undefined
}
/** Which rows are counted. */
export interface CountOptions<Name, Ms> {
  /** What rows have to hold: a value or operators for each attribute, conditions of what they belong to, `or`, `and`, `sql`. */
  readonly conditions?: Conditions<Name, Ms> | undefined
  /** Looks in the texts of `textSearch`: prefixes of words, accents and case aside; the best first, unless there is an order. */
  readonly search?: [SearchedOf<Name, Ms>] extends [never]
    ? 'declare textSearch in this model to search it'
    : string | undefined
}
/** Attributes in the order that sorts. */
export type Order<Name, Ms> = {
  readonly [K in ConditionKey<AttributesOf<Name, Ms>> | 'id']?: Direction
}
/** An option that is undefined is left out. A value in conditions never is: `{ cityId: undefined }` must not find everything. */
export interface FindOptions<Name, Ms, S, W> extends RowOptions<Name, Ms, S, W>, CountOptions<Name, Ms> {
  /** By several in the order of the keys. Default: order of creation. */
  readonly order?: Order<Name, Ms> | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}
/** One page of rows by its number, with the other options of `find`. */
export interface PageOptions<Name, Ms, S, W> extends Omit<FindOptions<Name, Ms, S, W>, 'limit' | 'offset'> {
  /** From 0. */
  readonly page: number
  /** Default 10. */
  readonly perPage?: number | undefined
}

/** A row with some attributes and relations. */
export type RowWith<Name, Ms, S, W> = Row<
  AttributesOf<Name, Ms>,
  S,
  { readonly [As in keyof W & RelationIn<Name, Ms>]: NestedRow<TargetOf<Name, Ms, As>, Ms, W[As]> | undefined }
>
type NestedRow<Name, Ms, N> = N extends true
  ? RowWith<Name, Ms, KeyIn<Name, Ms>, unknown>
  : RowWith<
      Name,
      Ms,
      N extends { readonly select: readonly (infer S)[] } ? S : KeyIn<Name, Ms>,
      N extends { readonly with: infer W } ? W : unknown
    >
