import type { PlantedFault } from '../programs/bundler.js'
import type { Feature, Scenario } from '../world/plan.js'

/** A fault planted in the product. */
export interface Mutant extends PlantedFault {
  /** The law that it breaks. */
  readonly law: string
  /** A tested history that detects it, tried first. */
  readonly seed: number
  /** The plan for histories of this fault, if hardly any tested history concerns it. */
  readonly about?: Scenario | Feature
}

export const MODEL = 'packages/model/src'
export const SERVER = 'packages/server/src'
export const STORE = 'packages/store/src'
