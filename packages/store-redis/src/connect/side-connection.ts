import { answerInTime } from '../answer-in-time.js'
import { type ConnectableClient, connectInTime } from './connect-in-time.js'
import { WELCOME } from './node-options.js'

interface ErrorSource extends ConnectableClient {
  on(event: 'error', heard: () => void): unknown
}

interface OpenedClient<One> {
  readonly client: Promise<One>
  /** Works that are under way on it. */
  works: number
}

/**
 * A second connection like a first one, made when it is first needed; where work on it fails or takes too long, the next gets another. Else a client that
 * takes a replaced server for the right one, as a Cluster's does for rows of commands, would do so for good.
 */
export class SideConnection<One extends ErrorSource> {
  readonly #make: () => One
  #present: OpenedClient<One> | undefined

  constructor(make: () => One) {
    this.#make = make
  }

  async use<Result>(work: (client: One) => Promise<Result>): Promise<Result> {
    this.#present ??= { client: this.#connect(), works: 0 }
    const opened = this.#present
    opened.works++
    try {
      return await answerInTime(work(await opened.client), WELCOME)
    } catch (error) {
      if (this.#present === opened) this.#present = undefined
      throw error
    } finally {
      opened.works--
      if (this.#present !== opened && opened.works === 0) letGo(opened)
    }
  }

  async #connect(): Promise<One> {
    const client = this.#make()
    client.on('error', () => undefined)
    await connectInTime(client, WELCOME)
    return client
  }

  /** Lets go at once. */
  destroy(): void {
    if (this.#present) letGo(this.#present)
    this.#present = undefined
  }
}

/** One that could not connect was let go then. */
const letGo = ({ client }: OpenedClient<ConnectableClient>): void =>
  void client.then(one => one.destroy()).catch(() => undefined)
