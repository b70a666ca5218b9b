import { actions } from '../actions/actions.js'
import { stockAbroad } from '../actions/foreign-actions.js'
import { stock } from '../actors/backend-people.js'
import { checkInvariants } from '../checks/invariants.js'
import { settleAndCheck } from '../checks/settle-and-check.js'
import { Violation } from '../checks/violation.js'
import { Dice } from './dice.js'
import type { History } from './history.js'
import type { Machine } from './machine.js'
import { SimulatedWorld } from './world.js'

/** A failed history. */
export interface HistoryFailure {
  readonly promise: string
  readonly message: string
  /** One line for each event. */
  readonly trace: readonly string[]
}

/** RECIPE of one history: world → steps, each with some of its consequences → settle and check. Undefined: every promise was kept. */
export async function simulate({ seed, plan, steps }: History, machine: Machine): Promise<HistoryFailure | undefined> {
  machine.time.restart()
  const world = new SimulatedWorld(plan, seed, machine)
  try {
    await world.open()
    await stock(world)
    await stockAbroad(world)
    for (const step of steps) {
      world.dice = new Dice(step.salt)
      world.note(`${step.do}`)
      await actions[step.do](world)
      await world.run(eventLimit(world.dice), () => checkInvariants(world))
    }
    world.dice = new Dice(seed)
    world.note('settle and check')
    await settleAndCheck(world)
    return undefined
  } catch (error) {
    const promise = error instanceof Violation ? error.promise : 'nothing breaks'
    const message = error instanceof Violation ? error.message : String(error instanceof Error ? error.stack : error)
    return { promise, message, trace: world.trace }
  } finally {
    world.close()
    // Remaining callbacks must not set timers in the next history.
    await world.scheduler.rest()
  }
}

/** Draws how many events run after a step: in half of the cases, all of them. */
const eventLimit = (dice: Dice): number => (dice.chance(0.5) ? Number.POSITIVE_INFINITY : dice.below(12))
