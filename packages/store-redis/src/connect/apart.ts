import { type Client, connectInTime } from './connect-in-time.js'
import { WELCOME } from './node-options.js'

interface Heard extends Client {
  on(event: 'error', heard: () => void): unknown
}

/** A second connection like a first one, made when it is first needed. */
export class Apart<One extends Heard> {
  readonly #make: () => One
  #made: Promise<One> | undefined

  constructor(make: () => One) {
    this.#make = make
  }

  /** The same one for everybody; after a failure it is tried anew. */
  open(): Promise<One> {
    this.#made ??= this.#connect().catch(error => {
      this.#made = undefined
      throw error
    })
    return this.#made
  }

  async #connect(): Promise<One> {
    const client = this.#make()
    client.on('error', () => undefined)
    await connectInTime(client, WELCOME)
    return client
  }

  /** Lets go at once. */
  destroy(): void {
    void this.#made?.then(
      client => client.destroy(),
      () => undefined,
    )
    this.#made = undefined
  }
}
