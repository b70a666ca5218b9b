import { MAX_BODY_DEPTH, type Page, type RouteLine, routes } from '@godwit/protocol'
import { schemas } from '@godwit/protocol/schemas'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { failure, json, openServer, type TestServer } from '../testing/open-server.js'

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

test('some routes take a body', () => {
  expect(taking.length).toBeGreaterThan(15)
})

test.each(taking)('%s accepts a body up to its limit, and not a byte more', async (_, line) => {
  const limit = line.bodyLimit ?? MEBIBYTE
  const whole = (await (await sent(line, limit)).json()) as { status: number; code: string }
  expect(whole).toMatchObject({ status: 400, code: 'malformed_json' })
  const more = (await (await sent(line, limit + 1)).json()) as { status: number; code: string; detail: string }
  expect(more).toMatchObject({ status: 413, code: 'body_too_large', detail: expect.stringContaining(`${limit} bytes`) })
})

describe('a body', () => {
  const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`
  const post = (path: string, headers: Record<string, string>, body: string) =>
    on.ask(path, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body })
  // The value of an attribute: below the body and two maps, or the body, the list, the mutation and its attributes.
  const objects = (depth: number) => `{"user_id":"*","objects":{"a":{"deep":${nested(depth - 3)}}}}`
  const push = (epoch: string, depth: number) =>
    `{"epoch":"${epoch}","acknowledged":0,"mutations":[{"number":1,"key":"a key of sixteen characters","operation":"create","object":"t","attributes":{"deep":${nested(depth - 4)}}}]}`

  test('may be nested as deep as the contract says, and is returned unchanged', async () => {
    expect((await post('/app/v1/City/push_objects', admin, objects(MAX_BODY_DEPTH))).status).toBe(200)
    const page = await on.call('GET', '/app/v1/City', { headers: device.headers })
    expect(await page.text()).toContain(nested(MAX_BODY_DEPTH - 3))
    const { epoch } = await json<Page>(await on.call('GET', '/app/v1/Visit', { headers: device.headers }))
    expect((await post('/app/v1/Visit', device.headers, push(epoch, MAX_BODY_DEPTH))).status).toBe(200)
  })

  test.each([MAX_BODY_DEPTH + 1, 20_000])('that is nested %d deep is refused', async depth => {
    const answers = await Promise.all([
      post('/app/v1/City/push_objects', admin, objects(depth)),
      post('/app/v1/Visit', device.headers, push('any', depth)),
      post('/rc/v1/users/ping', admin, `{"user_id":"ada","async":true,"more":${nested(depth - 1)}}`),
    ])
    for (const answer of answers) expect(await failure(answer)).toBe('422 body_invalid')
  })

  test.each(['1e400', '-1e400', '9'.repeat(400)])(
    'with the number %s is refused, and changes nothing',
    async number => {
      const cities = (count: string) => `{"user_id":"*","objects":{"a":{"count":${count}}}}`
      const push = `{"epoch":"any","acknowledged":0,"mutations":[{"number":1,"key":"a key of sixteen characters","operation":"create","object":"t","attributes":{"count":${number}}}]}`
      expect((await post('/app/v1/City/push_objects', admin, cities('1e308'))).status).toBe(200)
      const answers = [
        await post('/app/v1/City/push_objects', admin, cities(number)),
        await post('/app/v1/Visit', device.headers, push),
      ]
      for (const answer of answers) {
        const { code, detail } = (await answer.json()) as { code: string; detail: string }
        expect([answer.status, code]).toEqual([422, 'body_invalid'])
        expect(detail).toContain('send it as text')
      }
      const { insert } = await json<Page>(await on.call('GET', '/app/v1/City', { headers: device.headers }))
      expect(insert?.['a']).toMatchObject({ count: 1e308 })
    },
  )
})

test('a login accepts 16 KiB', () => {
  expect([routes.system.login, routes.device.login].map(({ bodyLimit }) => bodyLimit)).toEqual([16_384, 16_384])
})
