import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'

/** A fixed port of loopback that leads to another one, as an address does that a fail-over points elsewhere. */
export interface Switchboard {
  readonly port: number
  /** Breaks every connection; new ones go there. */
  pointTo(port: number): void
  /** Holds back all bytes in both directions; connections stay open. */
  hold(): void
  close(): Promise<void>
}

export async function switchboard(first: number): Promise<Switchboard> {
  const open = new Set<Socket>()
  let target = first
  const server = createServer(socket => {
    const onward = createConnection(target, '127.0.0.1')
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      open.add(from)
      from.pipe(to)
      from.once('error', () => to.destroy())
      from.once('close', () => {
        open.delete(from)
        to.destroy()
      })
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const cut = (): void => {
    for (const socket of open) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    pointTo(port) {
      target = port
      cut()
    },
    hold() {
      for (const socket of open) socket.unpipe().pause()
    },
    close() {
      cut()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
}
