import { Dice } from '../simulator/dice.js'
import type { App } from './app.js'
import type { Member } from './fleet.js'
import { LEASE, type World } from './world.js'

const STEPS = 30

/** Apps edit and sync at random, while one server at a time dies and is started again, or sleeps longer than its leases. */
export async function history(world: World, seed: number): Promise<void> {
  const dice = new Dice(seed)
  const faults = new Faults(world, dice)
  world.backend.moods = new Dice(seed + 1)
  for (let step = 0; step < STEPS; step++) {
    const app = dice.any(world.apps) as App
    for (let edits = dice.between(0, 3); edits > 0; edits--) app.edit(dice)
    // Whoever talks to a server that sleeps waits: the others go on.
    await Promise.race([app.sync(), pause(dice.between(20, 200))])
    if (dice.chance(0.35)) await faults.next()
  }
  await faults.end()
}

const pause = (milliseconds: number): Promise<void> => new Promise(resolve => setTimeout(resolve, milliseconds))

class Faults {
  readonly #world: World
  readonly #dice: Dice
  #victim: Member | undefined
  /** By the clock that judges leases. */
  #over = 0

  constructor(world: World, dice: Dice) {
    this.#world = world
    this.#dice = dice
  }

  /** Strikes somebody, or heals who was struck. */
  async next(): Promise<void> {
    if (this.#victim) return this.#heal(this.#victim)
    const victim = this.#dice.any(this.#world.servers) as Member
    this.#victim = victim
    if (this.#dice.chance(0.5)) return victim.kill()
    victim.stop()
    this.#over = (await this.#world.store.now()) + LEASE * 1000
  }

  /** One that sleeps wakes when all its leases are over, not before. */
  async #heal(victim: Member): Promise<void> {
    if (victim.state === 'dead') await victim.start()
    else if ((await this.#world.store.now()) > this.#over) victim.resume()
    if (victim.state === 'up') this.#victim = undefined
  }

  async end(): Promise<void> {
    while (this.#victim) {
      await this.next()
      await pause(50)
    }
  }
}
