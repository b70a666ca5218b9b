import { Checksum, type Mutation, type Outcome, type Page } from '@godwit/protocol'

/** A third-party device: it sends several changes of an object at once, acknowledges rarely, and reaches its quotas. */
export class ForeignDevice {
  /** A login that no other device uses. */
  readonly login = 'linus'
  session: string | undefined
  client: string | undefined
  /** Number of clients that it has registered. */
  clients = 0
  /** Times of uploads of photos that no change names. */
  readonly uploads: number[] = []
  epoch = ''
  /** Number of its last change. */
  number = 0
  /** Number of the last acknowledged outcome, and of the last received one. */
  acknowledged = 0
  reported = 0
  /** Changes without a response. */
  unanswered: readonly Mutation[] = []
  /** The changes of the last push that got a response. */
  answered: readonly Mutation[] = []
  /** The last received status of each change, by number. */
  readonly statuses = new Map<number, Outcome['status']>()
  /** Page token of its current pass. */
  token: string | undefined
  readonly #rows = new Map<string, { readonly version: number; readonly pass: string }>()
  /** Whether a request is running. */
  isBusy = false

  /** Starts again as another client. */
  restart(client: string): void {
    this.client = client
    this.epoch = ''
    this.number = 0
    this.acknowledged = 0
    this.reported = 0
    this.unanswered = []
    this.answered = []
    this.statuses.clear()
    this.token = undefined
    this.#rows.clear()
  }

  hear(outcomes: readonly Outcome[]): void {
    for (const { number, outcome = 0, status } of outcomes) {
      this.reported = Math.max(this.reported, outcome)
      this.statuses.set(number, status)
    }
  }

  /** Stores a page of its current pass. */
  take({ insert = {}, delete: gone = [], versions = {}, pass, status, ends, token }: Page): void {
    for (const id of gone) this.#rows.delete(id)
    for (const id of Object.keys(insert)) this.#rows.set(id, { version: versions[id] ?? 0, pass })
    if (ends && status === 'resync') for (const [id, row] of this.#rows) if (row.pass !== pass) this.#rows.delete(id)
    this.token = token
  }

  /** Returns the checksum of its stored rows. */
  checksum(): string {
    const sum = new Checksum()
    for (const [id, { version }] of this.#rows) sum.add(id, version)
    return sum.toString()
  }
}
