import type { Counted } from '../world/counts.js'
import type { Dice } from '../world/dice.js'
import type { Network } from '../world/network.js'
import type { Teams } from '../world/partitions.js'
import type { Plan } from '../world/plan.js'

/** The parts of the world that a device depends on. */
export interface DeviceParts {
  readonly plan: Plan
  readonly teams: Teams
  readonly network: Network
  readonly clock: () => number
  /** Source of ids and keys. */
  readonly ids: Dice
  readonly note: (text: string) => void
  readonly count: (name: Counted) => void
  readonly recordActivity: () => void
}
