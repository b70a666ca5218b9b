import type { AttributeValue } from '@godwit/protocol'

export const OPERATORS = ['=', '<', '>', '<=', '>=', '<>', 'LIKE', 'IN', 'NOT IN'] as const
export type Operator = (typeof OPERATORS)[number]

export const FUNCTIONS = ['LOWER', 'UPPER', 'LENGTH', 'ABS', 'TRIM'] as const
export type Func = (typeof FUNCTIONS)[number]

/**
 * Compares an attribute (or `object`) with a value, or with a list for IN and NOT IN; `null` with = and <> means IS (NOT) NULL. `func` is applied to
 * the attribute.
 */
export interface Comparison {
  readonly kind: 'compare'
  readonly attribute: string
  readonly operator: Operator
  readonly value: AttributeValue
  readonly func?: Func
}

/** A condition that is true if the object that an attribute refers to is on the device and matches. */
export interface RelatedCondition {
  readonly kind: 'related'
  readonly attribute: string
  readonly model: string
  readonly condition?: Condition
}

/** A condition in its internal form. */
export type Condition =
  | Comparison
  | RelatedCondition
  /** True if a typed attribute has a valid stored value, not only a default. */
  | { readonly kind: 'stored'; readonly attribute: string }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] }
  /** An SQL fragment over attribute names, with bound values. `app`: written by a typed app, where Booleans are 1 or 0. */
  | {
      readonly kind: 'sql'
      readonly sql: string
      readonly values: readonly AttributeValue[]
      readonly app?: true
    }

export interface OrderTerm {
  /** The name of an attribute, or `object`. */
  readonly attribute: string
  readonly direction: 'ASC' | 'DESC'
}

/** A related object returned with each row. */
export interface Join {
  /** The name of the related object in the row. */
  readonly as: string
  readonly attribute: string
  readonly model: string
  /** Attributes to return. Absent: all. */
  readonly select?: readonly string[]
  readonly with: readonly Join[]
}

/** A query in its internal form, to which all notations of the APIs are converted. */
export interface Query {
  readonly condition?: Condition
  /** Sort terms; an empty list means order of creation. */
  readonly order: readonly OrderTerm[]
  /** Attributes to return; `object` is always included. Absent: all. */
  readonly select?: readonly string[]
  /** Related objects to return, for typed models. */
  readonly with?: readonly Join[]
  /** Search text typed by a user. The best matches come first unless there is an order. */
  readonly search?: string
  readonly limit?: number
  readonly offset?: number
}

export const EVERYTHING: Query = { order: [] }
