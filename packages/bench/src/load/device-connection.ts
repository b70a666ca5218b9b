import { type Connection, connect } from '../systems/connection.js'

/** Where a device's requests go out: one at a time. */
export interface DeviceConnection {
  /** What `use` does over a connection to the server. */
  over<T>(url: string, use: (connection: Connection) => Promise<T>): Promise<T>
  close(): void
}

/** A new connection for each sync, closed afterwards, as on a device that syncs once a minute. */
export const perSyncConnection = (): DeviceConnection => ({
  async over(url, use) {
    const connection = await connect(url)
    try {
      return await use(connection)
    } finally {
      connection.close()
    }
  },
  close: () => undefined,
})

/** One connection to each server, kept for whichever device comes next: what a proxy in front does. */
export function keptLine(): DeviceConnection {
  const kept = new Map<string, Connection>()
  return {
    async over(url, use) {
      const connection = kept.get(url) ?? (await connect(url))
      kept.delete(url)
      const answer = await use(connection).catch((error: unknown) => {
        connection.close()
        throw error
      })
      kept.set(url, connection)
      return answer
    },
    close() {
      for (const connection of kept.values()) connection.close()
    },
  }
}
