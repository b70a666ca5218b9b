import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'

/** A fixed loopback port that forwards to another one, like an address that is redirected by a fail-over. */
export interface Switchboard {
  readonly port: number
  /** Number of connections accepted so far. */
  readonly made: number
  /** Breaks every connection; new ones go to this port. */
  pointTo(port: number): void
  /** Delays all bytes in both directions; connections stay open, and new ones are held too. */
  hold(): void
  /** Drops all bytes in both directions; connections stay open, and new ones get no answer. */
  swallow(): void
  /** Forwards bytes again, delayed ones first; breaks connections that lost bytes. */
  release(): void
  close(): Promise<void>
}

export async function switchboard(first: number): Promise<Switchboard> {
  const open = new Set<Socket>()
  const pairs = new Map<Socket, Socket>()
  let target = first
  let state: 'open' | 'held' | 'swallowed' = 'open'
  let made = 0
  const server = createServer(socket => {
    made++
    const onward = createConnection(target, '127.0.0.1')
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      open.add(from)
      pairs.set(from, to)
      if (state === 'open') from.pipe(to)
      else if (state === 'held') from.pause()
      else from.resume()
      from.once('error', () => to.destroy())
      from.once('close', () => {
        open.delete(from)
        pairs.delete(from)
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
    get made() {
      return made
    },
    pointTo(port) {
      target = port
      cut()
    },
    hold() {
      state = 'held'
      for (const socket of open) socket.unpipe().pause()
    },
    swallow() {
      state = 'swallowed'
      for (const socket of open) socket.unpipe().resume()
    },
    release() {
      if (state === 'swallowed') cut()
      else for (const [from, to] of pairs) from.pipe(to)
      state = 'open'
    },
    close() {
      cut()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
}
