import type { AttributeValue } from '@godwit/protocol'

export const OPERATORS = ['=', '<', '>', '<=', '>=', '<>', 'LIKE', 'IN', 'NOT IN'] as const
export type Operator = (typeof OPERATORS)[number]

export const FUNCTIONS = ['LOWER', 'UPPER', 'LENGTH', 'ABS', 'TRIM'] as const
export type Func = (typeof FUNCTIONS)[number]

/** One attribute (or `object`) against a value; a list for IN and NOT IN. `null` with = and <> means IS (NOT) NULL. `func` is applied to the attribute. */
export interface Comparison {
  readonly kind: 'compare'
  readonly attribute: string
  readonly operator: Operator
  readonly value: AttributeValue
  readonly func?: Func
}

/** A condition, however it was written. */
export type Condition =
  | Comparison
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] }
  /** An SQL fragment over attribute names, with its bound values. */
  | { readonly kind: 'sql'; readonly sql: string; readonly values: readonly AttributeValue[] }

export interface OrderTerm {
  /** An attribute or `object`. */
  readonly attribute: string
  readonly direction: 'ASC' | 'DESC'
}

/** One value for every way of asking. */
export interface Query {
  readonly condition?: Condition
  /** Empty: order of creation. */
  readonly order: readonly OrderTerm[]
  /** Attributes to return; `object` always comes along. Absent: all. */
  readonly select?: readonly string[]
  readonly limit?: number
  readonly offset?: number
}

export const EVERYTHING: Query = { order: [] }
