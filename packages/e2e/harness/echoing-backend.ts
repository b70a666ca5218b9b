import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The backend's behaviour: `fine` and `refuses` are well-formed; the others echo the request in an error or a malformed result. */
export type BackendBehaviour = 'fine' | 'refuses' | 'fails' | 'garbage' | 'no map'

/** A plugin backend that echoes its input, as careless ones do in their errors. */
export async function echoingBackend(login: { readonly attributes: object }) {
  const state = { manner: 'fine' as BackendBehaviour }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    const echo = `${JSON.stringify(request.headers)} ${body}`
    const operation = request.url?.split('/').at(-1)
    const json = (status: number, value: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    if (state.manner === 'fails') return json(500, { error: echo })
    if (state.manner === 'garbage') return response.end(`<html>${echo}`)
    if (state.manner === 'no map') return json(200, [echo])
    if (state.manner === 'refuses') return json(422, { message: 'A rating is 1 to 5.' })
    if (operation === 'authenticate') return json(200, login)
    return json(200, operation === 'query' || operation === 'search' ? {} : null)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    behave(manner: BackendBehaviour): void {
      state.manner = manner
    },
    close(): Promise<void> {
      server.closeAllConnections()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
}
