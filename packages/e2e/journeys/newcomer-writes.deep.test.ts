import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '@godwit/testing'
import { describe, expect, test } from '@jest/globals'
import { DURABLE_STORES, newcomer } from '../harness/newcomer.js'
import { storesOf } from '../harness/stores.js'

/** Orders of each user, whose backend records each call, and a source whose query lasts until a file exists. */
const CONFIG = `
import { appendFileSync, existsSync } from 'node:fs'
const { CALLS, GATE } = process.env
const orders = new Map()
const ordersOf = user => orders.get(user) ?? orders.set(user, {}).get(user)
export default ({ defineSource, refusal }) => ({
  authenticate: () => true,
  sources: [
    defineSource({
      name: 'Order',
      idempotent: true,
      query: ({ user }) => ordersOf(user),
      create({ text }, { user, idempotencyKey }) {
        appendFileSync(CALLS, JSON.stringify({ user, text, at: Date.now() }) + '\\n')
        if (text === 'refuse me') throw refusal('We do not sell that.')
        ordersOf(user)[idempotencyKey] = { text }
        return idempotencyKey
      },
    }),
    defineSource({ name: 'Slow', async query() {
      while (!existsSync(GATE)) await new Promise(resolve => setTimeout(resolve, 50))
      return {}
    } }),
  ],
})
`

const DEVICES = `
import { openSdk } from '@godwit/model/node'
const { SEND_WRITES, MODELS = 'Order' } = process.env
export async function open({ directory, server }) {
  let [hasNetwork, requests] = [true, 0]
  const sdk = await openSdk({ directory, server, ...(SEND_WRITES && { sendWrites: SEND_WRITES }), fetch(...given) {
    requests++
    return hasNetwork ? fetch(...given) : Promise.reject(new TypeError('no network'))
  } })
  for (const name of MODELS.split(',')) sdk.addModel(name, model => model.enable('sync'))
  const Order = sdk.getModel('Order')
  const busy = []
  const listen = async () => { for await (const event of sdk.events()) if (event.kind === 'busy') busy.push(event.source) }
  void listen()
  const order = text => Order.create({ text }).object
  return { sdk, deeds: {
    login: login => sdk.login(login, login),
    sync: async () => (await sdk.sync()).sent,
    order,
    unsent: () => Order.anyChangedObjects(),
    hear: () => busy,
    writeAndWrite: () => void setInterval(() => order('again and again'), 100),
    recreateRefused: () => Order.onRefused(({ object }) => Order.onSyncCreateError([object], 'recreate')),
    network: has => { hasNetwork = has },
    requests: () => requests,
    close: () => {},
  } }
}
`

interface Call {
  readonly user: string
  readonly text: string
  readonly at: number
}

const world = newcomer({ config: CONFIG, devices: DEVICES })

describe.each(storesOf('newcomer-writes', DURABLE_STORES))("a newcomer's writes, over $name", ({ name, address }) => {
  test('leave at once or with a sync, at a pace, and while the app closes', async () => {
    const file = (kind: string): string => join(world.path, `${kind}-${name}`)
    const files = { CALLS: file('calls'), GATE: file('gate') }
    const { url } = await world.serve(await address(world.path), { ...files, SYNC_LOG_LEVEL: 'error' })
    const callsOf = (user: string): readonly Call[] =>
      (existsSync(files.CALLS) ? readFileSync(files.CALLS, 'utf8') : '')
        .split('\n')
        .slice(0, -1)
        .map(line => JSON.parse(line) as Call)
        .filter(call => call.user === user)
    const texts = (user: string): readonly string[] => callsOf(user).map(({ text }) => text)
    const loggedIn = async (login: string, more: NodeJS.ProcessEnv = {}) => {
      const device = world.device(`${login}-${name}`, url, more)
      await device.do('login', login)
      return device
    }

    // An app that writes continuously becomes busy and receives an event.
    const busy = await loggedIn('busy')
    await busy.do('writeAndWrite')

    // An app that recreates each refused order sends it again after 1, 2 and 4 s.
    const echo = await loggedIn('echo')
    await echo.do('sync')
    await echo.do('recreateRefused')
    await echo.do('order', 'refuse me')

    // With `with-sync`, writes are sent only by a sync, while another app's writes are sent immediately.
    const metered = await loggedIn('metered', { SEND_WRITES: 'with-sync' })
    await metered.do('sync')
    await metered.do('order', 'with the sync')
    const direct = await loggedIn('direct')
    await direct.do('order', 'at once')
    await until(() => texts('direct').includes('at once'))
    expect(texts('metered')).toEqual([])
    expect(await metered.do('sync')).toBe(1)
    expect(texts('metered')).toEqual(['with the sync'])

    // Writes made just before the app closes are sent, unless the device was offline.
    await until(async () => !(await direct.do<boolean>('unsent')))
    await direct.do('order', 'and the app closes')
    await direct.close()
    expect(texts('direct')).toContain('and the app closes')
    await metered.do('network', false)
    expect(await metered.do('sync')).toMatchObject({ failed: 'offline' })
    const before = await metered.do<number>('requests')
    await metered.do('order', 'stays here')
    expect(await metered.do('requests')).toBe(before)
    await metered.close()
    expect(texts('metered')).toEqual(['with the sync'])

    // While one process of a device syncs, the other reports `device_locked`; its writes are sent afterwards.
    const first = await loggedIn('two')
    await first.do('sync')
    await first.close()
    const slow = world.device(`two-${name}`, url, { MODELS: 'Order,Slow' })
    const second = world.device(`two-${name}`, url)
    await until(async () => (await second.do<{ failed?: string }>('sync')).failed === 'device_locked')
    await second.do('order', 'once it is free')
    expect(await second.do('sync')).toMatchObject({ failed: 'device_locked' })
    writeFileSync(files.GATE, '')
    await until(() => texts('two').includes('once it is free'))
    await Promise.all([slow, second].map(device => device.close()))

    await until(() => callsOf('echo').length > 3)
    const [begin, , , fourth] = callsOf('echo')
    expect((fourth?.at ?? 0) - (begin?.at ?? 0)).toBeGreaterThan(6_500)
    await until(async () => (await busy.do<readonly string[]>('hear')).length > 0)
    expect(await busy.do('hear')).toEqual(['Order'])
  }, 300_000)
})
