import { Checksum, type Mutation, type Outcome, type Page } from '@godwit/protocol'

/** A device of another make: it sends several changes of an object at once, acknowledges when it likes, and takes what it can get. */
export class ForeignDevice {
  /** No other device has it. */
  readonly login = 'linus'
  session: string | undefined
  client: string | undefined
  /** How many clients the server gave it. */
  clients = 0
  /** When it sent a photo that nothing names. */
  readonly uploads: number[] = []
  epoch = ''
  /** The last number of a change. */
  number = 0
  /** What it acknowledged of outcomes, and the last outcome that it was told. */
  acknowledged = 0
  told = 0
  /** Changes without an answer. */
  unanswered: readonly Mutation[] = []
  /** What it sent last, with an answer. */
  answered: readonly Mutation[] = []
  /** What it was told last of each change, by number. */
  readonly statuses = new Map<number, Outcome['status']>()
  /** Where its slow pass stands. */
  token: string | undefined
  readonly #rows = new Map<string, { readonly version: number; readonly pass: string }>()
  /** A request is under way. */
  isBusy = false

  /** It begins again as another client. */
  restart(client: string): void {
    this.client = client
    this.epoch = ''
    this.number = 0
    this.acknowledged = 0
    this.told = 0
    this.unanswered = []
    this.answered = []
    this.statuses.clear()
    this.token = undefined
    this.#rows.clear()
  }

  hear(outcomes: readonly Outcome[]): void {
    for (const { number, outcome = 0, status } of outcomes) {
      this.told = Math.max(this.told, outcome)
      this.statuses.set(number, status)
    }
  }

  /** Takes a page of its slow pass. */
  take({ insert = {}, delete: gone = [], versions = {}, pass, status, ends, token }: Page): void {
    for (const id of gone) this.#rows.delete(id)
    for (const id of Object.keys(insert)) this.#rows.set(id, { version: versions[id] ?? 0, pass })
    if (ends && status === 'resync') for (const [id, row] of this.#rows) if (row.pass !== pass) this.#rows.delete(id)
    this.token = token
  }

  /** Of the rows that its slow pass brought. */
  checksum(): string {
    const sum = new Checksum()
    for (const [id, { version }] of this.#rows) sum.add(id, version)
    return sum.toString()
  }
}
