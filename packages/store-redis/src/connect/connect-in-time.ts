import { answerInTime } from '../answer-in-time.js'

/** The part of a client that connects and disconnects. */
export interface ConnectableClient {
  connect(): Promise<unknown>
  destroy(): unknown
}

/** Connects within this number of milliseconds, or rejects: a server that hangs may accept a connection and never respond. */
export async function connectInTime(client: ConnectableClient, milliseconds: number): Promise<void> {
  const connected = client.connect()
  try {
    await answerInTime(connected, milliseconds)
  } catch (error) {
    client.destroy()
    // The client of a Cluster may still connect to further servers after the timeout.
    connected.then(
      () => client.destroy(),
      () => undefined,
    )
    throw error
  }
}
