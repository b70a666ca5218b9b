import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

/** Where a server listens. */
export interface ListenAddress {
  /** 0 = a free one. Default 8675. */
  readonly port?: number
  /** Default 127.0.0.1: this machine only. */
  readonly host?: string
}

/** A socket that is listened on. */
export interface HttpListener {
  readonly url: string
  /** Accepts nothing new; resolves when the last answer is out. */
  close(): Promise<void>
  /** Ends what is still open. */
  destroy(): void
}

/** Connections that wait to be accepted: all devices come back together after a restart. The system may hold fewer (`net.core.somaxconn`). */
const BACKLOG = 4096

/** Listens on a port. `keepAlive` is in seconds; rejects with the system's error where the port is taken or not allowed. */
export async function listen(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
  { port = 8675, host = '127.0.0.1' }: ListenAddress = {},
  { keepAlive }: { readonly keepAlive: number },
): Promise<HttpListener> {
  const server = createServer({ keepAliveTimeout: keepAlive * 1000 }, handler)
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
  // A connection that falls idle after the close would be kept until its own time-out.
  const idle = setInterval(() => server.closeIdleConnections(), 50)
  await new Promise<void>(resolve => server.close(() => resolve())).finally(() => clearInterval(idle))
}
