import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy that forwards every request and drops selected responses, so that the server has acted but the device does not know. */
export interface LossyNetwork {
  readonly url: string
  /** Loses the next `times` responses whose method and path match. */
  lose(matching: (method: string, path: string) => boolean, times?: number): void
  /** While cut, every connection breaks immediately. */
  cut(isCut: boolean): void
  /** Number of responses lost. */
  readonly lost: number
  close(): Promise<void>
}

export async function lossyNetwork(target: string): Promise<LossyNetwork> {
  let rule: { matching: (method: string, path: string) => boolean; left: number } | undefined
  let lost = 0
  let gone = false
  const server: Server = createServer((incoming, outgoing) => {
    if (gone) return void incoming.socket.destroy()
    const { method = 'GET', url: path = '/', headers } = incoming
    const passed = request(new URL(path, target), { method, headers }, answer => {
      if (rule !== undefined && rule.left > 0 && rule.matching(method, path)) {
        rule.left--
        lost++
        answer.resume()
        answer.once('end', () => outgoing.destroy())
        return
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    passed.once('error', () => outgoing.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lose(matching, times = 1) {
      rule = { matching, left: times }
    },
    cut(isCut) {
      gone = isCut
    },
    get lost() {
      return lost
    },
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
