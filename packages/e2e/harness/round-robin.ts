import { type ClientRequest, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { until } from '@godwit/testing'

/** A load balancer that sends each request to the next ready server. */
export interface RoundRobin {
  readonly url: string
  /** Requests that no server answered. */
  readonly failed: readonly string[]
  /** Resolves when `count` servers are ready. */
  untilReady(count: number): Promise<void>
  close(): Promise<void>
}

interface Target {
  readonly url: string
  ready: boolean
}

const CHECK_INTERVAL = 100
const CHECK_TIMEOUT = 1000

export async function roundRobin(urls: readonly string[]): Promise<RoundRobin> {
  const targets: readonly Target[] = urls.map(url => ({ url, ready: false }))
  const failed: string[] = []
  let turn = 0
  /** Returns the ready servers, starting with the next one; all servers if none seems ready. */
  const inTurn = (): readonly Target[] => {
    turn++
    const all = targets.map((_, at) => targets[(at + turn) % targets.length] as Target)
    const ready = all.filter(target => target.ready)
    return ready.length > 0 ? ready : all
  }
  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await bodyOf(incoming)
    for (const target of inTurn()) {
      const tried = await forwardRequest(target, incoming, body, outgoing)
      if (tried === 'answered') return
      if (tried === 'broken') break
      target.ready = false
    }
    failed.push(`${incoming.method} ${incoming.url}`)
    outgoing.destroy()
  }
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => outgoing.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const checks = targets.map(target => check(target))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failed,
    async untilReady(count) {
      await until(() => targets.filter(({ ready }) => ready).length === count)
    },
    async close() {
      for (const end of checks) end()
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** Polls `/readyz` of a server; returns a function that stops it. */
function check(target: Target): () => void {
  let ended = false
  const look = async (): Promise<void> => {
    const signal = AbortSignal.timeout(CHECK_TIMEOUT)
    const ready = await fetch(`${target.url}/readyz`, { signal, headers: { connection: 'close' } }).then(
      answer => answer.ok,
      () => false,
    )
    if (ended) return
    target.ready = ready
    setTimeout(look, CHECK_INTERVAL)
  }
  void look()
  return () => {
    ended = true
  }
}

/** Forwards a request. `unsent`: it is safe to try another server; `broken`: the server may have handled it. */
function forwardRequest(
  { url }: Target,
  { method = 'GET', url: path = '/', headers }: IncomingMessage,
  body: Buffer,
  outgoing: ServerResponse,
): Promise<'answered' | 'unsent' | 'broken'> {
  return new Promise(resolve => {
    // A refused new connection means that nothing was sent.
    const options = { method, headers: { ...headers, connection: 'close' }, agent: false }
    const passed: ClientRequest = request(new URL(path, url), options, answer => {
      const { connection: _, ...rest } = answer.headers
      outgoing.writeHead(answer.statusCode ?? 502, rest)
      answer.pipe(outgoing)
      answer.once('end', () => resolve('answered'))
      answer.once('error', () => {
        outgoing.destroy()
        resolve('answered')
      })
    })
    passed.once('error', ({ code }: NodeJS.ErrnoException) => {
      if (outgoing.headersSent) return
      resolve(code === 'ECONNREFUSED' || method === 'GET' ? 'unsent' : 'broken')
    })
    passed.end(body)
  })
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part as Buffer)
  return Buffer.concat(parts)
}
