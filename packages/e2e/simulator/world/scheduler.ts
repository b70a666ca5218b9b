import type { Dice } from './dice.js'

/** An event whose time the dice choose, such as the arrival of a message. */
interface PendingEvent {
  readonly what: string
  readonly happen: () => void
}

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

/** The pending events of a world. The dice choose the next one, so that a history does not depend on the machine. */
export class Scheduler {
  readonly #pending: PendingEvent[] = []
  #activities = 0
  /** Returns a promise that resolves when no reply of an external store is pending; undefined if none is. */
  away: () => Promise<void> | undefined = () => undefined

  get isEmpty(): boolean {
    return this.#pending.length === 0
  }

  add(what: string, happen: () => void): void {
    this.#pending.push({ what, happen })
    this.#activities++
  }

  /** Resolves when the dice choose it. */
  delay(what: string): Promise<void> {
    return new Promise(resolve => this.add(what, resolve))
  }

  /** Records activity, so that `rest` continues to wait. */
  recordActivity(): void {
    this.#activities++
  }

  /** Runs one of the events and returns its name. */
  next(dice: Dice): string {
    const [event] = this.#pending.splice(dice.below(this.#pending.length), 1)
    this.#activities++
    event?.happen()
    return event?.what ?? ''
  }

  /** Resolves when only events or time can continue. */
  async rest(): Promise<void> {
    for (let before = -1; before !== this.#activities; ) {
      before = this.#activities
      await turn()
      await turn()
      await this.away()
    }
  }
}
