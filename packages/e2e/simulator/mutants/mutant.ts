import type { Feature, Scenario } from '../world/plan.js'

/** A planted change: `find` occurs once in `file` and is replaced by `replace`. */
interface Fault {
  readonly file: string
  readonly find: string
  readonly replace: string
}

/** A fault planted in the product. */
export interface Mutant extends Fault {
  /** The law that it breaks. */
  readonly law: string
  /** Planted in addition, if the product enforces the law twice. */
  readonly also?: readonly Fault[]
  /** A tested history that detects it, tried first. */
  readonly seed: number
  /** The plan for histories of this fault, if hardly any tested history concerns it. */
  readonly about?: Scenario | Feature
}

export const MODEL = 'packages/model/src'
export const SERVER = 'packages/server/src'
export const STORE = 'packages/store/src'
