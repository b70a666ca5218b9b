import type { OpaqueKind, OrderedKind } from '../definition/attribute-types.js'
import type { Attribute, ValueOf } from './attribute.js'
import type { AttributesOf, KeyIn, KeyOf, KeysOfKind, RelationIn, Row, SearchedOf, TargetOf } from './infer.js'

/** The direction of an order. */
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
/** A `Date`, identified by one member that strings and numbers lack. The full type would make editors suggest all methods of `Date`. */
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

/** Conditions, combined by AND. A condition on a relation is true if the related object is on the device and matches. */
// A single mapped type without aliases for its values, so that errors show only the values.
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

/** Relations to load with a row: `true`, or options for its attributes and relations. */
export type With<Name, Ms> = {
  readonly [As in RelationIn<Name, Ms>]?: true | NestedOptions<TargetOf<Name, Ms, As>, Ms>
}
/** The type of an omitted `with`. */
export type NoRelations = Record<never, never>
interface NestedOptions<Name, Ms> {
  readonly select?: readonly (keyof AttributesOf<Name, Ms> & string)[]
  readonly with?: With<Name, Ms>
}

/**
 * Rejects names in `with` that are not relations, which TypeScript does not check in inferred types. The early exit for an empty `with` makes type
 * checking of an app 20% faster.
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
/** The given type if it is valid, otherwise the expected one. An intersection would show both in errors. */
type KnownRelations<W, Name, Ms> = W extends NoUnknown<W, Name, Ms> ? W : NoUnknown<W, Name, Ms>
interface NoRelation<Given, Known> {
  readonly given: Given
  readonly known: Known
}
interface NoOption<Given, Known> {
  readonly given: Given
  readonly known: Known
}

/** The attributes and relations that rows have. */
export interface RowOptions<Name, Ms, S, W> {
  /** Only these attributes and `id`. */
  readonly select?: readonly S[] | undefined
  // `With` makes editors complete names; an inferred type alone offers nothing.
  /** Related rows to load, by the relation's `as` name. */
  readonly with?: (With<Name, Ms> & KnownRelations<W, Name, Ms>) | undefined
}
/** The rows to count. */
export interface CountOptions<Name, Ms> {
  /** Conditions: a value or operators for each attribute, conditions on relations, `or`, `and`, `sql`. */
  readonly conditions?: Conditions<Name, Ms> | undefined
  /** Finds rows whose `textSearch` attributes contain all words as prefixes, ignoring case and accents. Best matches first, unless `order` is set. */
  readonly search?: [SearchedOf<Name, Ms>] extends [never]
    ? 'declare textSearch in this model to search it'
    : string | undefined
}
/** Attributes to sort by; the first has precedence. */
export type Order<Name, Ms> = {
  readonly [K in ConditionKey<AttributesOf<Name, Ms>> | 'id']?: Direction
}
/**
 * Options of `find`. An undefined option counts as omitted; an undefined value in conditions does not, because `{ cityId: undefined }` must not match
 * everything.
 */
export interface FindOptions<Name, Ms, S, W> extends RowOptions<Name, Ms, S, W>, CountOptions<Name, Ms> {
  /** Sorts by the keys in order. Default: order of creation. */
  readonly order?: Order<Name, Ms> | undefined
  /** Maximum number of rows. Default: all. */
  readonly limit?: number | undefined
  /** Number of rows to skip. Default 0. */
  readonly offset?: number | undefined
}
/** A page of rows by number, with the other options of `find`. */
export interface PageOptions<Name, Ms, S, W> extends Omit<FindOptions<Name, Ms, S, W>, 'limit' | 'offset'> {
  /** The page's number, from 0. */
  readonly page: number
  /** Rows per page. Default 10. */
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
