import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'

/** A proxy before a server on loopback that can drop a reply and close its connection. */
export class LosingProxy {
  readonly #server = createServer(client => this.#join(client))
  readonly #sockets = new Set<Socket>()
  readonly #behind: number
  #words: string | undefined

  private constructor(behind: number) {
    this.#behind = behind
  }

  static async before({ port }: { readonly port: number }): Promise<LosingProxy> {
    const proxy = new LosingProxy(port)
    await new Promise<void>(resolve => proxy.#server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Drops the reply to the next command that contains this text; the command still runs. */
  loseAnswer(words: string): void {
    this.#words = words
  }

  loseNothing(): void {
    this.#words = undefined
  }

  get hasLost(): boolean {
    return this.#words === undefined
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise(resolve => this.#server.close(resolve))
  }

  #join(client: Socket): void {
    const server = createConnection(this.#behind, '127.0.0.1')
    const both = [client, server]
    let isLost = false
    const end = () => {
      for (const socket of both) socket.destroy()
    }
    for (const socket of both) {
      this.#sockets.add(socket.on('error', end).on('close', end))
      socket.setNoDelay(true)
    }
    client.on('data', data => {
      if (this.#words !== undefined && data.includes(this.#words)) {
        this.#words = undefined
        isLost = true
      }
      server.write(data)
    })
    server.on('data', data => (isLost ? end() : client.write(data)))
  }
}
