import { until } from '@godwit/testing'
import { describe, expect, test } from '@jest/globals'
import { DURABLE_STORES, newcomer } from '../harness/newcomer.js'
import { storesOf } from '../harness/stores.js'

/** A payment backend whose connection breaks at the first call for each payment, so that its outcome is unknown. */
const CONFIG = `
const called = new Set()
export default ({ defineSource, refusal }) => ({
  authenticate: () => true,
  sources: [
    defineSource({ name: 'Product', partition: 'app', pollInterval: -1 }),
    defineSource({ name: 'Payment', pollInterval: -1, create({ text }, { idempotencyKey }) {
      if (!called.has(idempotencyKey)) {
        called.add(idempotencyKey)
        throw new Error('the line broke')
      }
      if (text === 'too much') throw refusal('There are no funds.')
      return 'paid-' + text
    } }),
  ],
})
`

const DEVICES = `
import { openSdk } from '@godwit/model/node'
export async function open({ directory, server }) {
  const sdk = await openSdk({ directory, server })
  const Payment = sdk.addModel('Payment', model => model.enable('sync'))
  return { sdk, deeds: {
    login: login => sdk.login(login, login),
    sync: async () => (await sdk.sync()).sent,
    pay: text => Payment.create({ text }).object,
    idOf: id => Payment.find(id)?.object,
    refused: () => sdk.refused().map(({ error }) => error.message),
    close: () => {},
  } }
}
`

const world = newcomer({ config: CONFIG, devices: DEVICES })

describe.each(storesOf('newcomer-requests', DURABLE_STORES))(
  'requests of a newcomer, over $name',
  ({ name, address }) => {
    test('say what became of them, in the answer, on the event stream and in the log', async () => {
      const server = await world.serve(await address(world.path), { SYNC_LOG_REQUESTS: 'true' })
      const { url, admin, token } = server

      // An operator retries a payment in doubt; the operator and the device receive the outcome.
      const app = world.device(`payer-${name}`, url)
      await app.do('login', 'ada')
      const inDoubt = async (text: string) => {
        const payment = await app.do<string>('pay', text)
        await app.do('sync')
        await until(async () => (await admin.operations.undecided()).length === 1)
        const [undecided] = await admin.operations.undecided()
        return { payment, id: undecided?.id ?? 'none' }
      }
      const rent = await inDoubt('rent')
      expect(await admin.operations.retry(rent.id)).toEqual({ status: 'applied', link: 'paid-rent' })
      const car = await inDoubt('too much')
      expect(server.godwit('login')).toContain('Logged in')
      expect(server.godwit('mutations', 'retry', car.id)).toMatch(/refused.*There are no funds\./)
      await app.do('sync')
      expect(await app.do('refused')).toEqual(['There are no funds.'])
      expect([await app.do('idOf', rent.payment), await app.do('idOf', car.payment)]).toEqual(['paid-rent', null])

      // A plain HTTP client receives the heads of all sources, and with each change the head of its source.
      const json = { 'content-type': 'application/json' }
      const post = async <T>(
        path: string,
        headers: { readonly [name: string]: string },
        body: object = {},
      ): Promise<T> => {
        const answer = await fetch(url + path, {
          method: 'POST',
          headers: { ...json, ...headers },
          body: JSON.stringify(body),
        })
        return (await answer.json()) as T
      }
      const { session } = await post<{ session: string }>('/rc/v1/app/login', {}, { login: 'ada', password: 'ada' })
      const bearer = { authorization: `Bearer ${session}` }
      const { client } = await post<{ client: { client_id: string } }>('/rc/v1/clients', bearer)
      const device = { ...bearer, 'x-sync-client-id': client.client_id }
      const page = (await (await fetch(`${url}/app/v1/Product`, { headers: device })).json()) as { epoch: string }
      const leaving = new AbortController()
      const stream = await fetch(`${url}/rc/v1/app/events`, { headers: device, signal: leaving.signal })
      const heard = eventsOf(stream)
      expect((await heard('check')).data).toMatchObject({
        heads: { Product: { epoch: page.epoch } },
        within: expect.any(Number),
      })
      const { version } = await admin.push.objects('Product', '*', { p1: { text: 'a phone' } })
      expect((await heard('change')).data).toEqual({
        source: 'Product',
        epoch: page.epoch,
        head: version,
        within: expect.any(Number),
      })
      leaving.abort()

      // Each request is logged in one line, with the id of its response and without the query string.
      const requested = await fetch(`${url}/rc/v1/mutations?limit=77`, { headers: { 'x-sync-api-token': token } })
      const id = requested.headers.get('x-request-id')
      const lineOf = () => server.log().find(line => line['id'] === id)
      await until(() => lineOf() !== undefined)
      expect(lineOf()).toMatchObject({
        method: 'GET',
        route: 'operations.undecided',
        user: 'admin',
        client: null,
        status: 200,
      })
      expect(lineOf()).toMatchObject({ ms: expect.any(Number) })
      expect(JSON.stringify(lineOf())).not.toContain('77')
      expect(server.log()).toContainEqual(
        expect.objectContaining({ user: 'ada', client: client.client_id, route: 'device.pull' }),
      )
      await app.close()
    }, 300_000)
  },
)

interface ServerEvent {
  readonly name: string
  readonly data: unknown
}

/** Reads server-sent events; each call resolves with the next event of that name. */
function eventsOf({ body }: Response): (name: string) => Promise<ServerEvent> {
  const reader = (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return async name => {
    for (;;) {
      const found = new RegExp(`event: ${name}\\ndata: (.*)\\n\\n`).exec(text)
      if (found) {
        text = text.slice(found.index + found[0].length)
        return { name, data: JSON.parse(found[1] ?? 'null') }
      }
      const { done, value } = await reader.read()
      if (done) throw new Error(`the stream ended before ${name}: ${text}`)
      text += value
    }
  }
}
