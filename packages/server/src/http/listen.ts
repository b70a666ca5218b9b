import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { http } from '../base/node-http.js'

/** The address to listen on. */
export interface ListenAddress {
  /** 0 = a free port. Default 8675. */
  readonly port?: number
  /** Default 127.0.0.1: only this machine. */
  readonly host?: string
}

/** An open listening socket. */
export interface HttpListener {
  readonly url: string
  /** Accepts no more connections; resolves when the last response is sent. */
  close(): Promise<void>
  /** Closes the remaining connections. */
  destroy(): void
}

/**
 * The number of connections waiting to be accepted, since all devices reconnect after a restart. The system may allow fewer (`net.core.somaxconn`).
 */
const BACKLOG = 4096

/** Listens on a port. `keepAlive` is in seconds. Rejects with the system's error if the port is in use or not permitted. */
export async function listen(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
  { port = 8675, host = '127.0.0.1' }: ListenAddress = {},
  { keepAlive }: { readonly keepAlive: number },
): Promise<HttpListener> {
  const server = http.createServer({ keepAliveTimeout: keepAlive * 1000 }, handler)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, BACKLOG, () => resolve())
  })
  return { url: urlOf(server, host), close: () => closeServer(server), destroy: () => server.closeAllConnections() }
}

function urlOf(server: Server, host: string): string {
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

async function closeServer(server: Server): Promise<void> {
  // A connection that becomes idle after the close would otherwise stay open until its own time-out.
  const idle = setInterval(() => server.closeIdleConnections(), 50)
  await new Promise<void>(resolve => server.close(() => resolve())).finally(() => clearInterval(idle))
}
