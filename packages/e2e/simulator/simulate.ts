import { stock } from './backend-people.js'
import { deeds } from './deeds.js'
import { Dice } from './dice.js'
import type { History } from './history.js'
import { look } from './invariants.js'
import type { Machine } from './machine.js'
import { quiet } from './quiet.js'
import { Violation } from './violation.js'
import { World } from './world.js'

/** How a history ended badly. */
export interface Failure {
  readonly promise: string
  readonly message: string
  /** Everything that happened, a line each. */
  readonly trace: readonly string[]
}

/** RECIPE of one history: world → steps, each with some of what follows from it → quiet → check. Undefined: every promise was kept. */
export async function simulate({ seed, plan, steps }: History, machine: Machine): Promise<Failure | undefined> {
  machine.time.restart()
  const world = new World(plan, seed, machine)
  try {
    await world.open()
    await stock(world)
    for (const step of steps) {
      world.dice = new Dice(step.salt)
      world.note(`${step.do}`)
      await deeds[step.do](world)
      await world.run(howMany(world.dice), () => look(world))
    }
    world.dice = new Dice(seed)
    world.note('quiet')
    await quiet(world)
    return undefined
  } catch (error) {
    const promise = error instanceof Violation ? error.promise : 'nothing breaks'
    const message = error instanceof Violation ? error.message : String(error instanceof Error ? error.stack : error)
    return { promise, message, trace: world.trace }
  } finally {
    world.close()
    // What is left of it must not set timers in the next one.
    await world.agenda.rest()
  }
}

/** Half of the time everything that a step began comes to its end before the next. */
const howMany = (dice: Dice): number => (dice.chance(0.5) ? Number.POSITIVE_INFINITY : dice.below(12))
