import { type RouteLine, routes } from '@godwit/protocol'
import { schemas } from '@godwit/protocol/schemas'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openServer, type TestServer } from '../testing/open-server.js'

const MEBIBYTE = 1024 * 1024

let on: TestServer
let admin: Record<string, string>
let device: Awaited<ReturnType<TestServer['device']>>
beforeAll(async () => {
  on = openServer()
  admin = await on.as()
  device = await on.device('ada')
})
afterAll(() => on.server.close())

/** Every route that takes JSON, with its line of the table. Those that take bytes check their query first and are shown with it. */
const taking = Object.entries(routes).flatMap(([group, lines]) =>
  Object.entries<RouteLine>(lines)
    .filter(
      ([name, line]) =>
        !line.bytes && 'body' in ((schemas as Record<string, Record<string, object>>)[group]?.[name] ?? {}),
    )
    .map(([name, line]) => [`${group}.${name}`, line] as const),
)

const pathOf = ({ path }: RouteLine): string =>
  path
    .replace('<client_id>', device.client)
    .replace(/<source_\w+>/, 'City')
    .replace(/<[^>]+>/g, 'none')

/** One byte of blank after another, which no schema sees; only as much is made as is read. */
function sent(line: RouteLine, bytes: number): Promise<Response> {
  const piece = new Uint8Array(64 * 1024).fill(0x20)
  let left = bytes
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (left <= 0) return controller.close()
      controller.enqueue(left < piece.length ? piece.subarray(0, left) : piece)
      left -= piece.length
    },
  })
  const who = line.roles.includes('device') ? device.headers : admin
  const headers = { ...(line.roles.includes('open') ? {} : who), 'content-type': 'application/json' }
  return on.ask(pathOf(line), { method: line.method, headers, body, duplex: 'half' } as RequestInit)
}

test('there are routes that take a body', () => {
  expect(taking.length).toBeGreaterThan(15)
})

test.each(taking)('%s takes as much as its line of the table says, and not a byte more', async (_, line) => {
  const limit = line.bodyLimit ?? MEBIBYTE
  const whole = (await (await sent(line, limit)).json()) as { status: number; code: string }
  expect(whole).toMatchObject({ status: 400, code: 'malformed_json' })
  const more = (await (await sent(line, limit + 1)).json()) as { status: number; code: string; detail: string }
  expect(more).toMatchObject({ status: 413, code: 'body_too_large', detail: expect.stringContaining(`${limit} bytes`) })
})
