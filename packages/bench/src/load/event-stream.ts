import { createConnection, type Socket } from 'node:net'

/** A heartbeat: a comment in a separate chunk. */
const HEARTBEAT = '\n:\n\n'

/** The event stream of a device, read from a plain socket to save memory. */
export class EventStream {
  readonly #socket: Socket
  /** The beginning of an incomplete event. */
  #rest = ''
  #changedAt: number | undefined
  #wake: (() => void) | undefined
  #beaten: (() => void) | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
  }

  /** Opens a stream. Resolves on the server's first event, after which no event is missed. */
  static async open(url: string, headers: string): Promise<EventStream> {
    const { hostname, port } = new URL(url)
    const socket = createConnection({ host: hostname, port: Number(port), noDelay: true })
    const stream = new EventStream(socket)
    await new Promise<void>((resolve, reject) => {
      const ended = (): void => reject(new Error(`The event stream ended: ${stream.#rest.slice(0, 200)}`))
      socket.once('connect', () =>
        socket.write(`GET /rc/v1/app/events HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${headers}\r\n`),
      )
      socket.setEncoding('utf8').on('data', text => {
        if (stream.#read(String(text))) resolve()
      })
      socket.on('error', reject).once('close', ended)
    })
    return stream
  }

  /** Waits for the next change and returns its time of arrival in milliseconds since 1970. */
  async change(): Promise<number> {
    if (this.#changedAt === undefined && !this.#socket.destroyed)
      await new Promise<void>(resolve => {
        this.#wake = resolve
        this.#socket.once('close', resolve)
      })
    const at = this.#changedAt
    this.#changedAt = undefined
    if (at === undefined) throw new Error('The event stream ended before it told of the change.')
    return at
  }

  /** Waits for the next heartbeat; false if the stream ended before. */
  async beat(): Promise<boolean> {
    if (!this.#socket.destroyed)
      await new Promise<void>(resolve => {
        this.#beaten = resolve
        this.#socket.once('close', resolve)
      })
    return !this.#socket.destroyed
  }

  close(): void {
    this.#socket.destroy()
  }

  /** Reads events; returns true if the server requests a check. */
  #read(text: string): boolean {
    const all = this.#rest + text
    const end = all.lastIndexOf('\n\n') + 2
    this.#rest = end < 2 ? all : all.slice(end)
    if (end < 2) return false
    const events = all.slice(0, end)
    if (events.includes('event: change')) {
      this.#changedAt = Date.now()
      this.#wake?.()
    }
    if (events.includes(HEARTBEAT)) this.#beaten?.()
    return events.includes('event: check')
  }
}
