import type { AttributeValue } from '@godwit/protocol'

export const OPERATORS = ['=', '<', '>', '<=', '>=', '<>', 'LIKE', 'IN', 'NOT IN'] as const
export type Operator = (typeof OPERATORS)[number]

export const FUNCTIONS = ['LOWER', 'UPPER', 'LENGTH', 'ABS', 'TRIM'] as const
export type Func = (typeof FUNCTIONS)[number]

/**
 * Compares one attribute (or `object`) with a value, or with a list for IN and NOT IN; `null` with = and <> means IS (NOT) NULL. `func` is
 * applied to the attribute.
 */
export interface Comparison {
  readonly kind: 'compare'
  readonly attribute: string
  readonly operator: Operator
  readonly value: AttributeValue
  readonly func?: Func
}

/** The object that an attribute names is on the device, and fits. */
export interface RelatedCondition {
  readonly kind: 'related'
  readonly attribute: string
  readonly model: string
  readonly condition?: Condition
}

/** A condition, however it was written. */
export type Condition =
  | Comparison
  | RelatedCondition
  /** A typed attribute has a value that fits, and shows not only its default. */
  | { readonly kind: 'stored'; readonly attribute: string }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] }
  /** An SQL fragment over attribute names, with its bound values. `app`: a typed one asks, to which a Boolean is 1 or 0. */
  | {
      readonly kind: 'sql'
      readonly sql: string
      readonly values: readonly AttributeValue[]
      readonly app?: true
    }

export interface OrderTerm {
  /** An attribute or `object`. */
  readonly attribute: string
  readonly direction: 'ASC' | 'DESC'
}

/** An object that comes along with each row: the one that an attribute names. */
export interface Join {
  /** What it is called in the row. */
  readonly as: string
  readonly attribute: string
  readonly model: string
  /** Absent: all. */
  readonly select?: readonly string[]
  readonly with: readonly Join[]
}

/** One value for every way of asking. */
export interface Query {
  readonly condition?: Condition
  /** Empty: order of creation. */
  readonly order: readonly OrderTerm[]
  /** Attributes to return; `object` always comes along. Absent: all. */
  readonly select?: readonly string[]
  /** Of typed models. */
  readonly with?: readonly Join[]
  /** What users type to find rows by their texts; the best come first where there is no order. */
  readonly search?: string
  readonly limit?: number
  readonly offset?: number
}

export const EVERYTHING: Query = { order: [] }
