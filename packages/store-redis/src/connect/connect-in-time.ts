import { answerInTime } from '../answer-in-time.js'

/** The slice of a client that is connected and let go. */
export interface ConnectableClient {
  connect(): Promise<unknown>
  destroy(): unknown
}

/** Connects within the given milliseconds, or gives up: a server that hangs accepts a connection and does not answer. */
export async function connectInTime(client: ConnectableClient, milliseconds: number): Promise<void> {
  const connected = client.connect()
  try {
    await answerInTime(connected, milliseconds)
  } catch (error) {
    client.destroy()
    // Of a Cluster, the servers that were still asked for may have been reached since.
    connected.then(
      () => client.destroy(),
      () => undefined,
    )
    throw error
  }
}
