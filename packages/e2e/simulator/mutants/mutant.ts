import type { Feature, Scenario } from '../world/plan.js'

/** A text of the product and what it becomes: `find` stands once in `file` and becomes `replace`. */
interface Fault {
  readonly file: string
  readonly find: string
  readonly replace: string
}

/** A fault planted into the product. */
export interface Mutant extends Fault {
  /** The law that it breaks. */
  readonly law: string
  /** Planted beside it, where the product holds the law twice. */
  readonly also?: readonly Fault[]
  /** Of a tested history that notices it, to be quick. */
  readonly seed: number
  /** The plan that all histories of this fault have, where hardly any of the tested ones is about what it breaks. */
  readonly about?: Scenario | Feature
}

export const MODEL = 'packages/model/src'
export const SERVER = 'packages/server/src'
export const STORE = 'packages/store/src'
