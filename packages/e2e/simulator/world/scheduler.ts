import type { Dice } from './dice.js'

/** Something that is about to happen, at a moment that the dice choose: a message arrives, a backend answers. */
interface PendingEvent {
  readonly what: string
  readonly happen: () => void
}

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

/** Everything that is under way between the parties of a world. What happens next is chosen, never left to the machine. */
export class Scheduler {
  readonly #pending: PendingEvent[] = []
  #activities = 0
  /** Resolves when nothing is under way beside the scheduler: with a store that is another program. */
  away: () => Promise<void> | undefined = () => undefined

  get isEmpty(): boolean {
    return this.#pending.length === 0
  }

  add(what: string, happen: () => void): void {
    this.#pending.push({ what, happen })
    this.#activities++
  }

  /** Resolves when its moment has come. */
  delay(what: string): Promise<void> {
    return new Promise(resolve => this.add(what, resolve))
  }

  /** Notes activity: calls that wait for idleness continue to wait. */
  noteActivity(): void {
    this.#activities++
  }

  /** One of the moments happens; what it was. */
  next(dice: Dice): string {
    const [event] = this.#pending.splice(dice.below(this.#pending.length), 1)
    this.#activities++
    event?.happen()
    return event?.what ?? ''
  }

  /** Resolves when nothing moves any more but by a moment or by time. */
  async rest(): Promise<void> {
    for (let before = -1; before !== this.#activities; ) {
      before = this.#activities
      await turn()
      await turn()
      await this.away()
    }
  }
}
