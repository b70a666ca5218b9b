import type { Mutation } from '@godwit/protocol'

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
  }
}
