import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '@godwit/testing'
import { describe, expect, test } from '@jest/globals'
import { DURABLE_STORES, newcomer } from '../harness/newcomer.js'
import { storesOf } from '../harness/stores.js'

/** Sources that record their queries: one returns a different result each time, one fails while a file exists, one is queried on request. */
const CONFIG = `
import { appendFileSync, existsSync } from 'node:fs'
const { ASKED, BROKEN } = process.env
let [answers, notes] = [0, 0]
const app = (name, pollInterval, query) => ({ name, partition: 'app', pollInterval, query() {
  appendFileSync(ASKED, name + '\\n')
  return query()
} })
export default ({ defineSource }) => ({
  authenticate: () => true,
  sources: [
    defineSource({ name: 'Product', partition: 'app', pollInterval: -1 }),
    defineSource({ name: 'Note', idempotent: true, pollInterval: -1, create: () => 'n' + ++notes }),
    defineSource(app('Weather', 0, () => ({ now: { text: \`answer \${++answers}\` } }))),
    defineSource(app('Report', -1, () => ({ r1: { text: 'yearly' } }))),
    defineSource(app('Stock', 0, () => {
      if (existsSync(BROKEN)) throw new Error('The store room is locked.')
      return { s1: { text: 'in stock' } }
    })),
  ],
})
`

const DEVICES = `
import { openSdk } from '@godwit/model/node'
export async function open({ directory, server }) {
  const sdk = await openSdk({ directory, server })
  sdk.pollInterval = 3600
  for (const name of ['Product', 'Weather', 'Report', 'Stock']) {
    sdk.addModel(name, model => { model.set('partition', 'app'); model.enable('sync') })
  }
  const Note = sdk.addModel('Note', model => model.enable('sync'))
  let failed = []
  const listen = async () => { for await (const event of sdk.events()) if (event.kind === 'complete') failed = event.failed }
  void listen()
  return { sdk, deeds: {
    login: login => sdk.login(login, login),
    clientId: () => Note.client_id(),
    sync: async () => Object.fromEntries((await sdk.sync()).sources.map(({ source, error }) => [source, error?.code ?? 'fine'])),
    failed: () => failed,
    note: text => Note.create({ text }).object,
    has: name => sdk.getModel(name).find('all').map(row => row.get('text')).sort(),
    close: () => {},
  } }
}
`

const world = newcomer({ config: CONFIG, devices: DEVICES })

describe.each(storesOf('newcomer-sources', DURABLE_STORES))("a newcomer's sources, over $name", ({ name, address }) => {
  test('fail alone, are told with their heads, and are asked when an operator says so', async () => {
    const [requested, broken] = [join(world.path, `asked-${name}`), join(world.path, `broken-${name}`)]
    writeFileSync(broken, '')
    const server = await world.serve(await address(world.path), {
      ASKED: requested,
      BROKEN: broken,
      SYNC_LOG_REQUESTS: 'true',
    })
    const { url, admin } = server
    const queries = (source: string): number =>
      existsSync(requested)
        ? readFileSync(requested, 'utf8')
            .split('\n')
            .filter(line => line === source).length
        : 0
    const push = (id: string, text: string) => admin.push.objects('Product', '*', { [id]: { text } })
    const open = async (device: string) => {
      const app = world.device(`${device}-${name}`, url)
      await app.do('login', 'ada')
      const fine = { Product: 'fine', Note: 'fine', Weather: 'fine', Report: 'fine' }
      expect(await app.do('sync')).toEqual({ ...fine, Stock: 'backend_failed' })
      const client = await app.do<string>('clientId')
      const lines = (route: string): number =>
        server.log().filter(line => line['client'] === client && line['route'] === route).length
      await until(() => lines('device.events') === 1)
      const has = (model: string, ...texts: readonly string[]) =>
        until(async () => JSON.stringify(await app.do('has', model)) === JSON.stringify(texts))
      return { app, lines, has }
    }
    const devices = await Promise.all([open('one'), open('two')])
    const [one, two] = devices

    // A failing source does not delay the others, and syncs automatically once its backend works.
    await until(async () => (await one.app.do<readonly string[]>('failed')).join() === 'Stock')
    await push('p1', 'a phone')
    await Promise.all(devices.map(({ has }) => has('Product', 'a phone')))
    rmSync(broken)
    await Promise.all(devices.map(({ has }) => has('Stock', 'in stock')))

    // A source without polling is queried once for each request by its read state.
    expect(queries('Report')).toBe(0)
    for (const turn of [1, 2]) {
      await admin.readState.set('*', 'Report')
      await one.app.do('sync')
      await one.app.do('sync')
      expect(queries('Report')).toBe(turn)
    }
    await Promise.all(devices.map(({ has }) => has('Report', 'yearly')))

    // Weather changes with each query, so both devices must have its latest result before pulls are counted.
    const settle = async () => {
      for (const { app } of devices) await app.do('sync')
      await Promise.all(devices.map(({ has }) => has('Weather', `answer ${queries('Weather')}`)))
      return { ones: one.lines('device.pull'), twos: two.lines('device.pull'), weather: queries('Weather') }
    }
    const pullsSince = ({ ones, twos }: { readonly ones: number; readonly twos: number }) => [
      one.lines('device.pull') - ones,
      two.lines('device.pull') - twos,
    ]

    // Each change causes one pull by each device that lacks it, none by the device that made it, and no query.
    const before = await settle()
    await one.app.do('note', 'from one')
    await two.has('Note', 'from one')
    await push('p2', 'a radio')
    await Promise.all(devices.map(({ has }) => has('Product', 'a phone', 'a radio')))
    expect([pullsSince(before), queries('Weather')]).toEqual([[1, 2], before.weather])

    // After a server restart, no device pulls data that it already has.
    const away = await settle()
    await server.restart()
    await until(() => devices.every(({ lines }) => lines('device.events') === 2))
    await push('p3', 'a watch')
    await Promise.all(devices.map(({ has }) => has('Product', 'a phone', 'a radio', 'a watch')))
    expect([pullsSince(away), queries('Weather')]).toEqual([[1, 1], away.weather])
    for (const { app } of devices) await app.close()
  }, 300_000)
})
