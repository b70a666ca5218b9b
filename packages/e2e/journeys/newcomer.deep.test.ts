import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@godwit/testing'
import { describe, expect, test } from '@jest/globals'
import { DURABLE_STORES } from '../harness/newcomer.js'
import { GODWIT, newcomerFolder, PASSWORD } from '../harness/newcomer-folder.js'
import { storesOf } from '../harness/stores.js'
import type { ScreenTerminal } from '../harness/terminal.js'

/** Shared products, and orders of each user, stored in the backend's files. */
const CONFIG = `
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
const path = process.env.ORDERS
const load = () => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {})
export default ({ defineSource, refusal }) => ({
  sources: [
    defineSource({ name: 'Product', partition: 'app', pollInterval: -1 }),
    defineSource({
      name: 'Order',
      pollInterval: 300,
      idempotent: true,
      belongsTo: { parent: 'Order' },
      query: () => load(),
      create(order, { idempotencyKey }) {
        if (order.text === 'refuse me') throw refusal('We do not sell that.')
        const id = 'real-' + idempotencyKey
        writeFileSync(path, JSON.stringify({ ...load(), [id]: order }))
        return id
      },
      update(id, changes) {
        const orders = load()
        writeFileSync(path, JSON.stringify({ ...orders, [id]: { ...orders[id], ...changes } }))
      },
    }),
  ],
})
`

/** An app that prints its rows at each change, and runs commands, one JSON line each. It never calls sync. */
const APP = `
import { createInterface } from 'node:readline'
import { openSdk } from '@godwit/model/node'
const [directory, server] = process.argv.slice(2)
let hasNetwork = true
const away = () => Promise.reject(new TypeError('no network'))
const sdk = await openSdk({ directory, server, fetch: (...given) => (hasNetwork ? fetch(...given) : away()) })
const Product = sdk.addModel('Product', model => {
  model.set('partition', 'app')
  model.enable('sync')
})
const Order = sdk.addModel('Order', model => {
  model.setBelongsTo('parent', 'Order')
  model.enable('sync')
})
const say = value => console.log(JSON.stringify(value))
sdk.setNotification('Order', ({ status, server_errors }) => {
  const [error] = Object.values(server_errors?.['create-error'] ?? {})
  if (status === 'error' && error) say({ told: error.message })
})
const tellRenamed = async () => {
  for await (const event of sdk.events()) if (event.kind === 'renamed') say(event)
}
void tellRenamed()
const rows = model => model.find('all').map(row => row.get('text')).sort()
let shown = ''
const show = () => {
  const now = JSON.stringify({ products: rows(Product), orders: rows(Order) })
  if (now !== shown) console.log(now)
  shown = now
}
setInterval(show, 20)
const deeds = {
  login: ([login]) => sdk.login(login, login),
  network: ([has]) => { hasNetwork = has },
  order: ([text, parent]) => Order.create({ text, ...(parent && { parent }) }).object,
  change: ([id, text]) => Order.find(id).update_attributes({ text }),
  childrenOf: ([id]) => Order.find('all', { conditions: { parent: id } }).map(row => row.get('text')),
  unsent: () => Order.anyChangedObjects(),
  refused: () => sdk.refused().length,
}
for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...given] = JSON.parse(line)
  say({ did: name, answer: (await deeds[name](given)) ?? null })
}
await sdk.close()
process.exit(0)
`

const { path, write, environment, begin } = newcomerFolder({ 'godwit.config.js': CONFIG, 'app.js': APP })

/** A device with a running app. */
class Device {
  readonly #terminal: ScreenTerminal

  constructor(name: string, url: string) {
    this.#terminal = begin(process.execPath, ['app.js', name, url], environment({}))
  }

  async do<T>(name: string, ...given: unknown[]): Promise<T> {
    this.#terminal.child.stdin?.write(`${JSON.stringify([name, ...given])}\n`)
    const line = await this.#terminal.until(one => one.startsWith(`{"did":"${name}"`))
    return JSON.parse(line).answer as T
  }

  end(): Promise<void> {
    return this.#terminal.end()
  }

  /** Waits until one line of the app contains all parts. */
  shows(...parts: readonly string[]): Promise<string> {
    return this.#terminal.until(line => parts.every(part => line.includes(part)))
  }
}

describe.each(storesOf('newcomer', DURABLE_STORES))('a newcomer, over $name', ({ name, address }) => {
  test('installs, writes a source, starts a server, and has apps that sync by themselves', async () => {
    const port = String(await freePort())
    const orders = join(path, `orders-${name}.json`)
    const settings = environment({
      PORT: port,
      ORDERS: orders,
      SYNC_CONFIG: 'godwit.config.js',
      SYNC_STORE: await address(path),
      SYNC_ADMIN_PASSWORD: PASSWORD,
      SYNC_LOG_LEVEL: 'error',
    })
    const url = `http://127.0.0.1:${port}`
    const serve = async (): Promise<ScreenTerminal> => {
      const server = begin(GODWIT, ['start'], settings)
      await server.until(line => line === `godwit listening on ${url}`)
      return server
    }
    const godwit = (...words: readonly string[]): string =>
      execFileSync(GODWIT, words, { cwd: path, env: settings, encoding: 'utf8' })
    const inBackend = (): string => readFileSync(orders, 'utf8')
    writeFileSync(orders, JSON.stringify({ first: { text: 'kept by the backend' } }))
    const server = await serve()

    // The login is stored, so that later commands need no password.
    expect(godwit('login')).toContain('Logged in')
    write('products.json', JSON.stringify({ p1: { text: 'a phone' } }))
    godwit('push', 'Product', '*', 'products.json')

    // Writes made before the first login are retained; rows appear automatically after it.
    const one = new Device(`one-${name}`, url)
    await one.do('order', 'written before the login')
    await one.shows('"orders":["written before the login"]')
    await one.do('login', 'ada')
    await one.shows('{"products":["a phone"],"orders":["kept by the backend","written before the login"]}')

    // A write is sent automatically, and another listening device receives it.
    const two = new Device(`two-${name}`, url)
    await two.do('login', 'ada')
    await two.shows('"written before the login"')
    const id = await one.do<string>('order', 'from one')
    await two.shows('"from one"')
    expect(inBackend()).toContain('from one')
    await one.shows('"kind":"renamed"', `"from":"${id}"`, '"to":"real-')

    // After the rename, the temporary id still finds the order and the orders that refer to it.
    await one.do('order', 'a part of it', id)
    await two.shows('"a part of it"')
    expect(await one.do('childrenOf', id)).toEqual(['a part of it'])
    await one.do('change', id, 'from one, changed')
    await two.shows('"from one, changed"')

    // The app works offline, and its writes are sent when it is online again.
    await one.do('network', false)
    await one.do('order', 'made offline')
    await one.do('change', id, 'changed offline')
    await one.shows('"made offline"')
    expect(await one.do('unsent')).toBe(true)
    expect(inBackend()).not.toContain('offline')
    await one.do('network', true)
    await two.shows('"made offline"', '"changed offline"')

    // A refusal is reported with the backend's message, and rolled back.
    await one.do('order', 'refuse me')
    await one.shows('{"told":"We do not sell that."}')
    await two.do('order', 'after the refusal')
    const after = await one.shows('"after the refusal"')
    expect(after).not.toContain('refuse me')
    expect(await one.do('refused')).toBe(1)

    // Devices receive pushes of a backend automatically, and operators see them as events.
    const watching = begin(GODWIT, ['events', '--kind', 'objects_written', '--json'], settings)
    await watching.until(line => line.includes('"stream_started"'))
    write('products.json', JSON.stringify({ p2: { text: 'a watch' } }))
    godwit('push', 'Product', '*', 'products.json')
    expect(JSON.parse(await watching.until(line => line.includes('"objects_written"')))).toMatchObject({
      source: 'Product',
      changed: 1,
    })
    await Promise.all([one.shows('["a phone","a watch"]'), two.shows('["a phone","a watch"]')])
    await watching.end()

    // Devices reconnect to a restarted server.
    await server.end()
    await one.do('order', 'while the server is away')
    const again = await serve()
    await two.shows('"while the server is away"')

    // A reopened app syncs automatically, since its session is stored.
    await one.end()
    write('products.json', JSON.stringify({ p3: { text: 'a camera' } }))
    godwit('push', 'Product', '*', 'products.json')
    await new Device(`one-${name}`, url).shows('["a camera","a phone","a watch"]', '"while the server is away"')
    expect(godwit('logout')).toContain('Logged out')
    await again.end()
  }, 300_000)
})
