import { createConnection, type Socket } from 'node:net'

export interface Answer {
  readonly status: number
  readonly text: string
  readonly bytes: number
}

/** A kept-alive HTTP/1.1 connection for one request at a time. The client is minimal, so that the server's cost dominates. */
export interface Connection {
  send(method: string, path: string, headers: string, body?: string): Promise<Answer>
  close(): void
}

export async function connect(url: string): Promise<Connection> {
  const { hostname, port } = new URL(url)
  let line = await openLine(hostname, Number(port))
  return {
    async send(method, path, headers, body = '') {
      // Servers close idle connections after some seconds, such as a backend's while devices are measured.
      if (line.socket.closed) line = await openLine(hostname, Number(port))
      const answer = line.receive()
      const length =
        body === '' && method === 'GET'
          ? ''
          : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
      line.socket.write(`${method} ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${headers}${length}\r\n${body}`)
      return answer
    },
    close: () => line.socket.destroy(),
  }
}

async function openLine(host: string, port: number) {
  const socket = createConnection({ host, port, noDelay: true })
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  return { socket, receive: receiver(socket) }
}

function receiver(socket: Socket): () => Promise<Answer> {
  let chunks: Buffer[] = []
  let have = 0
  let wanted = -1
  let settle: { resolve(answer: Answer): void; reject(error: Error): void } | undefined
  const look = (): void => {
    // Between requests, the server may announce that it closes the idle connection.
    if (settle === undefined) return
    if (wanted < 0) {
      const all = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
      chunks = [all]
      wanted = lengthOf(all)
    }
    if (wanted < 0 || have < wanted) return
    const answer = readAnswer(Buffer.concat(chunks))
    const { resolve } = settle
    chunks = []
    have = 0
    wanted = -1
    settle = undefined
    resolve(answer)
  }
  socket.on('data', chunk => {
    chunks.push(chunk)
    have += chunk.length
    look()
  })
  const fail = (error?: Error): void =>
    settle?.reject(error ?? new Error('The connection was closed before the answer came.'))
  socket.once('error', fail).once('close', () => fail())
  return () =>
    new Promise((resolve, reject) => {
      settle = { resolve, reject }
    })
}

/** Returns the length of the whole response; -1 while its head is incomplete. */
function lengthOf(bytes: Buffer): number {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return -1
  const length = /\r\ncontent-length: *(\d+)/i.exec(bytes.toString('latin1', 0, end))?.[1]
  if (length === undefined) throw new Error('The bench reads answers with a Content-Length only.')
  return end + 4 + Number(length)
}

function readAnswer(bytes: Buffer): Answer {
  const end = bytes.indexOf('\r\n\r\n')
  return { status: Number(bytes.toString('latin1', 9, 12)), text: bytes.toString('utf8', end + 4), bytes: bytes.length }
}
