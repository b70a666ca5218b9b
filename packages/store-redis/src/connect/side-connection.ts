import { answerInTime } from '../answer-in-time.js'
import { type ConnectableClient, connectInTime } from './connect-in-time.js'
import { WELCOME } from './node-options.js'

interface ErrorSource extends ConnectableClient {
  on(event: 'error', heard: () => void): unknown
}

interface OpenedClient<One> {
  readonly client: Promise<One>
  /** How many operations are using it. */
  works: number
}

/**
 * A second connection, opened at its first use and replaced after an operation that fails or times out. A Cluster's client could otherwise keep
 * sending pipelines to a replaced server.
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

  /** Disconnects immediately. */
  destroy(): void {
    if (this.#present) letGo(this.#present)
    this.#present = undefined
  }
}

/** A client that failed to connect is already destroyed. */
const letGo = ({ client }: OpenedClient<ConnectableClient>): void =>
  void client.then(one => one.destroy()).catch(() => undefined)
