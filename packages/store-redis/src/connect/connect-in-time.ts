import { inTime } from '../in-time.js'

/** The slice of a client that is connected and let go. */
export interface Client {
  connect(): Promise<unknown>
  destroy(): unknown
}

/** Connects within so many milliseconds, or lets go: a server that hangs takes a connection and says nothing. */
export async function connectInTime(client: Client, milliseconds: number): Promise<void> {
  const connected = client.connect()
  try {
    await inTime(connected, milliseconds)
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
