import type { Dice } from './dice.js'

/** Something that is about to happen, at a moment that the dice choose: a message arrives, a backend answers. */
interface Moment {
  readonly what: string
  readonly happen: () => void
}

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

/** Everything that is under way between the parties of a world. What happens next is chosen, never left to the machine. */
export class Agenda {
  readonly #moments: Moment[] = []
  #stirs = 0
  /** Resolves when nothing is under way beside the agenda: with a store that is another program. */
  away: () => Promise<void> | undefined = () => undefined

  get isEmpty(): boolean {
    return this.#moments.length === 0
  }

  add(what: string, happen: () => void): void {
    this.#moments.push({ what, happen })
    this.#stirs++
  }

  /** Resolves when its moment has come. */
  moment(what: string): Promise<void> {
    return new Promise(resolve => this.add(what, resolve))
  }

  /** Something moved: whoever waits for rest waits on. */
  stir(): void {
    this.#stirs++
  }

  /** One of the moments happens; what it was. */
  next(dice: Dice): string {
    const [moment] = this.#moments.splice(dice.below(this.#moments.length), 1)
    this.#stirs++
    moment?.happen()
    return moment?.what ?? ''
  }

  /** Resolves when nothing moves any more but by a moment or by time. */
  async rest(): Promise<void> {
    for (let before = -1; before !== this.#stirs; ) {
      before = this.#stirs
      await turn()
      await turn()
      await this.away()
    }
  }
}
