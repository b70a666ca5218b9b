import { Dice } from '../simulator/world/dice.js'
import type { App } from './app.js'
import type { Member } from './fleet.js'
import { type ChaosWorld, LEASE } from './world.js'

const STEPS = 30

/** An additional source of trouble for a world. */
export interface Disturbance {
  next(dice: Dice): Promise<void>
  /** Resolves when all faults are repaired. */
  end(): Promise<void>
}

/** Runs apps that edit and sync at random, while one server at a time is killed and restarted, or paused for longer than its leases. */
export async function history(world: ChaosWorld, seed: number, trouble?: Disturbance): Promise<void> {
  const dice = new Dice(seed)
  const faults = new Faults(world, dice)
  world.backend.moods = new Dice(seed + 1)
  for (let step = 0; step < STEPS; step++) {
    const app = dice.any(world.apps) as App
    for (let edits = dice.between(0, 3); edits > 0; edits--) app.edit(dice)
    // A sync with a paused server hangs; the other devices continue.
    await Promise.race([app.sync(), pause(dice.between(20, 200))])
    if (dice.chance(0.35)) await faults.next()
    if (trouble && (dice.chance(0.15) || step === STEPS / 2)) await trouble.next(dice)
  }
  await faults.end()
  await trouble?.end()
}

const pause = (milliseconds: number): Promise<void> => new Promise(resolve => setTimeout(resolve, milliseconds))

class Faults {
  readonly #world: ChaosWorld
  readonly #dice: Dice
  #victim: Member | undefined
  /** Measured by the clock that judges leases. */
  #over = 0

  constructor(world: ChaosWorld, dice: Dice) {
    this.#world = world
    this.#dice = dice
  }

  /** Strikes a server, or repairs the one that was struck. */
  async next(): Promise<void> {
    if (this.#victim === undefined) return this.#lieInWait()
    if (this.#victim.state !== 'up') await this.#heal(this.#victim)
  }

  /** Most strikes come after the backend has done a call and before its answer arrives. */
  async #lieInWait(): Promise<void> {
    const { backend, servers } = this.#world
    const victim = this.#dice.any(servers) as Member
    const kills = this.#dice.chance(0.5)
    const moment = this.#dice.weighted({ now: 1, query: 1, write: 3 })
    this.#victim = victim
    if (moment === 'now') return this.#strike(victim, kills)
    backend.hold = async ({ server, operation }) => {
      if (server !== victim.name || (operation === 'query') !== (moment === 'query')) return
      backend.hold = holdNothing
      await this.#strike(victim, kills)
    }
  }

  async #strike(victim: Member, kills: boolean): Promise<void> {
    if (kills) return victim.kill()
    victim.stop()
    this.#over = (await this.#now()) + LEASE * 1000
  }

  async #now(): Promise<number> {
    for (;;) {
      const now = await this.#world.store.now().catch(() => undefined)
      if (now !== undefined) return now
      await pause(50)
    }
  }

  /** A paused server resumes when all its leases have expired, not before. */
  async #heal(victim: Member): Promise<void> {
    if (victim.state === 'dead') await victim.startPersistently()
    else if ((await this.#now()) > this.#over) victim.resume()
    if (victim.state === 'up') this.#victim = undefined
  }

  /** Repairs all servers. */
  async end(): Promise<void> {
    this.#world.backend.hold = holdNothing
    while (this.#victim && this.#victim.state !== 'up') {
      await this.#heal(this.#victim)
      await pause(50)
    }
  }
}

const holdNothing = async (): Promise<void> => undefined
