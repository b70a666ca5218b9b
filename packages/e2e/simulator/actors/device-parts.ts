import type { Dice } from '../world/dice.js'
import type { Network } from '../world/network.js'
import type { Teams } from '../world/partitions.js'
import type { Plan } from '../world/plan.js'

/** What a device takes from its world. */
export interface DeviceParts {
  readonly plan: Plan
  readonly teams: Teams
  readonly network: Network
  readonly clock: () => number
  /** Ids and keys. */
  readonly ids: Dice
  readonly note: (text: string) => void
  readonly noteActivity: () => void
}
