import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What stands before a server, and holds back what it is told to. */
export interface BlockedServer {
  readonly url: string
  /** Requests whose path this fits wait from the given one on, counted from 0, until another is set. */
  hold(path: RegExp, after?: number): void
  /** Requests whose path this fits are answered with an error from now on, as a proxy does. Default: 503. */
  refuse(path: RegExp, status?: number): void
  /** Lets everything through. */
  release(): void
  close(): void
}

/** Stands before a server, so that a page can be looked at while it waits or fails. By default on any free port. */
export async function holdServer(target: string, port = 0): Promise<BlockedServer> {
  let blocked: RegExp | undefined
  let refused: RegExp | undefined
  let refusedWith = 503
  let left = 0
  let waiting: (() => void)[] = []

  function pass(requested: IncomingMessage, answer: ServerResponse): void {
    const { method, url = '/', headers } = requested
    const onward = request(new URL(url, target), { ...(method && { method }), headers }, given => {
      answer.writeHead(given.statusCode ?? 502, given.headers)
      given.pipe(answer)
    })
    onward.on('error', () => answer.destroy())
    answer.on('close', () => onward.destroy())
    requested.pipe(onward)
  }

  const server = createServer((requested, answer) => {
    const path = requested.url ?? '/'
    if (refused?.test(path)) answer.writeHead(refusedWith).end()
    else if (blocked?.test(path) && left-- <= 0) waiting.push(() => pass(requested, answer))
    else pass(requested, answer)
  })
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold(path, after = 0) {
      blocked = path
      left = after
    },
    refuse(path, status = 503) {
      refused = path
      refusedWith = status
    },
    release() {
      blocked = undefined
      refused = undefined
      const all = waiting
      waiting = []
      for (const go of all) go()
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
