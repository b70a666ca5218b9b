import { Violation } from '../checks/violation.js'
import type { Dice } from './dice.js'
import type { Scheduler } from './scheduler.js'
import type { VirtualTime } from './virtual-time.js'

/** Limit of events in one run; a history that exceeds it never settles. */
const MAX_EVENTS = 20_000

/** The part of a world that runs events. */
interface AdvanceContext {
  readonly scheduler: Scheduler
  readonly dice: Dice
  readonly time: VirtualTime
  readonly isBusy: boolean
  readonly note: (text: string) => void
  /** Throws a recorded violation. */
  readonly check: () => void
}

type InvariantCheck = () => Promise<void>

/** Runs events: a limited number, or until all started tasks have ended. */
export async function run(world: AdvanceContext, most: number, look: InvariantCheck): Promise<void> {
  for (let count = 0; count <= most; count++) {
    await world.scheduler.rest()
    await look()
    world.check()
    if (count === most) return
    if (count > MAX_EVENTS)
      throw new Violation('everything comes to rest', `something goes on after ${MAX_EVENTS} happenings`)
    if (world.scheduler.isEmpty && !world.isBusy) return
    if (world.scheduler.isEmpty || world.dice.chance(0.02)) {
      if (!world.time.step()) throw new Violation('everything comes to rest', 'something waits for nothing')
    } else {
      const what = world.scheduler.next(world.dice)
      world.note(`    ${what}`)
    }
  }
}

/** Advances time by `milliseconds`, and runs due timers and the events that they cause. */
export async function pass(world: AdvanceContext, milliseconds: number, look: InvariantCheck): Promise<void> {
  const until = world.time.now() + milliseconds
  for (let steps = 0; steps < 200 && world.time.step(until); steps++) {
    await world.scheduler.rest()
    if (!world.scheduler.isEmpty) await run(world, 6, look)
  }
  if (world.time.now() < until) world.time.pass(until - world.time.now())
  await run(world, 0, look)
}
