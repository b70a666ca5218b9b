import { inTime } from '../in-time.js'

/** A server that hangs takes a connection and says nothing: after so many milliseconds another one is tried. */
const WELCOME = 2_000

/** The slice of a client that Apart needs. */
interface Client {
  connect(): Promise<unknown>
  destroy(): unknown
  on(event: 'error', heard: () => void): unknown
}

/** A second connection like a first one, made when it is first needed. */
export class Apart<One extends Client> {
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
    await standing(client)
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

/** Of a Cluster the client asks any of the servers for the others, in a connection that it does not give up by itself. */
async function standing(client: Client): Promise<void> {
  const connected = client.connect()
  try {
    await inTime(connected, WELCOME)
  } catch (error) {
    connected.then(
      () => client.destroy(),
      () => undefined,
    )
    throw error
  }
}
