import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'

/** A server that hangs: it accepts connections and never replies. */
export async function silentServer(): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const sockets = new Set<Socket>()
  const server: Server = createServer(socket => sockets.add(socket.resume().on('error', () => undefined)))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const stop = async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise(resolve => server.close(resolve))
  }
  return { port: (server.address() as AddressInfo).port, stop }
}
