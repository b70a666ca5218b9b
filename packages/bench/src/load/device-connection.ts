import { type Connection, connect } from '../systems/connection.js'

/** The connection of a device, for one request at a time. */
export interface DeviceConnection {
  /** Runs `use` with a connection to the server. */
  over<T>(url: string, use: (connection: Connection) => Promise<T>): Promise<T>
  close(): void
}

/** Opens a connection for each sync and closes it afterwards, like a device that syncs once a minute. */
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

/** Keeps one connection to each server for all devices, like a proxy. */
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
