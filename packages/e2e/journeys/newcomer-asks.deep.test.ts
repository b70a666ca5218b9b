import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { AdminClient } from '@godwit/admin-client'
import { freePort } from '@godwit/testing'
import { describe, expect, test } from '@jest/globals'
import { build } from 'esbuild'
import { DURABLE_STORES } from '../harness/newcomer.js'
import { GODWIT, newcomerFolder, PASSWORD } from '../harness/newcomer-folder.js'
import { storesOf } from '../harness/stores.js'
import type { ScreenTerminal } from '../harness/terminal.js'

/** Sources of every kind, including one that fails and one that returns values that are not JSON. Queries are recorded in a file. */
const CONFIG = `
import { appendFileSync } from 'node:fs'
const { ASKED, SECRET } = process.env
const five = Object.fromEntries([1, 2, 3, 4, 5].map(n => ['p' + n, { amount: n }]))
export default ({ defineSource, refusal }) => ({
  ...(SECRET && { backend: { secret: SECRET } }),
  authenticate: () => true,
  sources: [
    defineSource({ name: 'Product', partition: 'app', pollInterval: -1 }),
    defineSource({ name: 'Price', partition: 'app', pollInterval: 3600, query() {
      appendFileSync(ASKED, 'Price ')
      return five
    } }),
    defineSource({ name: 'Both', partition: 'app', pollInterval: -1, query: () => ({}) }),
    defineSource({ name: 'Remote', partition: 'app', pollInterval: 3600 }),
    defineSource({ name: 'Broken', partition: 'app', query() { throw new Error('password of the ERP: hunter2') } }),
    defineSource({ name: 'Wrong', partition: 'app', query: () => ({ w1: { photo: Buffer.from('x') } }) }),
    defineSource({ name: 'Order', idempotent: true, query: () => ({}), create() { throw refusal('We do not sell that.') } }),
  ],
})
`

/** An app that runs commands, one JSON line each. */
const APP = `
import { createInterface } from 'node:readline'
import { openSdk } from '@godwit/model/node'
const [directory, server] = process.argv.slice(2)
let pullsLeft = Infinity
const sdk = await openSdk({ directory, server, fetch: (url, init) => {
  if (String(url).includes('/app/v1/Price') && --pullsLeft < 0) return Promise.reject(new TypeError('no network'))
  return fetch(url, init)
} })
sdk.pollInterval = 0
for (const name of ['Product', 'Price', 'Remote', 'Broken', 'Wrong']) {
  sdk.addModel(name, model => { model.set('partition', 'app'); model.enable('sync') })
}
const Order = sdk.addModel('Order', model => model.enable('sync'))
const Shared = sdk.addModel('Shared', model => model.set('partition', 'app'))
const Local = sdk.addModel('Local', () => {})
const Part = sdk.addModel('Part', model => {
  model.setBelongsTo('owner', 'Product')
  model.setBelongsTo('owner', 'Order')
})
const failure = async run => { try { await run() } catch (error) { return { code: error.code, message: error.message } } }
const deeds = {
  clientId: () => Order.client_id(),
  login: ([login]) => sdk.login(login, login),
  sync: async ([name]) => {
    const { sources = [], message } = await sdk.sync(name).catch(({ message }) => ({ message }))
    return message ? [{ message }] : sources.map(({ source, received, error }) => ({ source, received, message: error?.message }))
  },
  pullsOfPrice: ([count, page]) => { pullsLeft = count ?? Infinity; if (page) sdk.pageSize = page },
  prices: () => sdk.getModel('Price').getCount(),
  settings: () => {
    Local.enable('full_update')
    return [Local.getProperty('full_update'), Local.has('pass_through'), Local.vars().pass_through]
  },
  owners: () => Part.getBelongsTo('owner'),
  readerLeaves: async () => {
    const events = sdk.events()
    const waiting = events.next()
    await events.return()
    return (await waiting).done
  },
  localReset: () => {
    for (const model of [Shared, Local]) model.create({ text: 'x' })
    sdk.databaseLocalReset()
    return [Shared.getCount(), Local.getCount()]
  },
  recreate: async () => {
    const [gone, kept] = [Order.create({ text: 'gone' }), Order.create({ text: 'kept' })]
    const syncing = sdk.sync('Order')
    gone.destroy()
    await syncing
    Order.onSyncCreateError([gone.object, kept.object], 'recreate')
    return Order.find('all').map(row => row.get('text'))
  },
  changesOfLocal: () => Local.hasChanges(Local.create({ text: 'y' }).object),
  lenient: () => {
    const Loose = sdk.addModel('Loose', model => {
      model.setModelProperty('code', 'String')
      model.setModelProperty('note', '')
    })
    const row = Loose.create({ code: 12, note: true })
    row.updateAttributes()
    return [row.get('code'), row.get('note'), Loose.find('all', { order: 'code', orderdir: '' }).length]
  },
  withoutServer: async () => {
    const alone = await openSdk({ directory: directory + '-alone' })
    const Note = alone.addModel('Note', () => {})
    Note.create({ text: 'kept here' })
    const count = Note.getCount()
    await alone.close()
    return count
  },
  wrongServer: () => failure(() => openSdk({ directory: directory + '-wrong', server: 'nope' })),
}
for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...given] = JSON.parse(line)
  console.log(JSON.stringify({ did: name, answer: (await deeds[name](given)) ?? null }))
}
await sdk.close()
process.exit(0)
`

const { path, write, environment, begin } = newcomerFolder({ 'godwit.config.js': CONFIG, 'app.js': APP })

/** Runs an operator's command and returns its exit code and output. */
function run(
  env: NodeJS.ProcessEnv,
  ...words: readonly string[]
): { readonly code: number | null; readonly text: string } {
  const { status, stdout, stderr } = spawnSync(GODWIT, words, { cwd: path, env, encoding: 'utf8' })
  return { code: status, text: stdout + stderr }
}

describe.each(storesOf('newcomer-asks', DURABLE_STORES))('a newcomer who asks, over $name', ({ name, address }) => {
  test('gets a true answer, and what to do', async () => {
    const port = String(await freePort())
    const requested = join(path, `asked-${name}`)
    const settings = environment({
      PORT: port,
      ASKED: requested,
      SYNC_CONFIG: 'godwit.config.js',
      SYNC_STORE: await address(path),
      SYNC_ADMIN_PASSWORD: PASSWORD,
      SYNC_LOG_LEVEL: 'warn',
    })
    const url = `http://127.0.0.1:${port}`
    const serve = async (more: NodeJS.ProcessEnv = {}): Promise<ScreenTerminal> => {
      const server = begin(GODWIT, ['start'], { ...settings, ...more })
      await server.until(line => line === `godwit listening on ${url}`)
      return server
    }
    const godwit = (...words: readonly string[]): string => run(settings, ...words).text
    const queries = (): number =>
      existsSync(requested) ? readFileSync(requested, 'utf8').split('Price').length - 1 : 0
    let server = await serve()
    const { token } = await AdminClient.login({ url, login: 'admin', password: PASSWORD })
    const admin = new AdminClient({ url, token })
    const app = begin(process.execPath, ['app.js', `device-${name}`, url], environment({}))
    const make = async <T>(deed: string, ...given: unknown[]): Promise<T> => {
      app.child.stdin?.write(`${JSON.stringify([deed, ...given])}\n`)
      return JSON.parse(await app.until(line => line.startsWith(`{"did":"${deed}"`))).answer as T
    }

    // A device without synced models needs no server; an invalid server address is refused when the device is opened.
    expect(await make('withoutServer')).toBe(1)
    expect(await make('wrongServer')).toMatchObject({ message: expect.stringContaining('nope') })

    // During the first pass, only confirmed rows count.
    expect(await make('clientId')).toBeNull()
    await make('login', 'ada')
    await make('pullsOfPrice', 1, 2)
    expect(await make('sync', 'Price')).toMatchObject([{ message: expect.stringContaining('cannot be reached') }])
    const client = await make<string>('clientId')
    expect(client).toEqual(expect.any(String))
    const confirmed = async (): Promise<number> => Number(await admin.clients.readDocument(client, 'Price', 'cd_size'))
    expect(await confirmed()).toBeLessThanOrEqual(await make<number>('prices'))
    expect(godwit('explain', 'Price', 'p5', '--user', 'ada')).toContain(client)
    await make('pullsOfPrice', null)
    await make('sync', 'Price')
    await make('sync', 'Price')
    expect([await make('prices'), await confirmed()]).toEqual([5, 5])

    // A poll interval of −1 disables polling, and 0 queries at every pull; changing the setting does not make a query due.
    const before = queries()
    godwit('sources', 'set', 'Price', 'poll_interval=-1')
    await make('sync', 'Price')
    expect(queries()).toBe(before)
    godwit('sources', 'set', 'Price', 'poll_interval=0')
    await make('sync', 'Price')
    expect(queries()).toBe(before + 1)
    godwit('sources', 'set', 'Price', 'poll_interval=3600')
    await make('sync', 'Price')
    expect(queries()).toBe(before + 1)

    // A push to a source with a query returns when the query replaces it; a push to a source without one does not.
    const pushed = { one: { amount: 1 } }
    const reported = await admin.push.objects('Price', '*', pushed)
    expect(Date.parse(String(reported.replaced_at))).toBeGreaterThan(Date.now())
    expect(await admin.push.objects('Product', '*', pushed)).not.toHaveProperty('replaced_at')
    expect(godwit('doctor')).toMatch(/Both has a query and poll_interval -1/)

    // Without an address nothing fills a source but pushes. One may be set, since the server makes a secret.
    expect(godwit('doctor')).toMatch(/Remote.*receive objects only by pushes/)
    expect(godwit('sources', 'backend', 'http://127.0.0.1:9')).toContain('http://127.0.0.1:9')
    expect(godwit('sources', 'backend', '--clear')).not.toContain('127.0.0.1')

    // A backend's error stays in the log, under an id that the device receives; a value that is not JSON is named.
    const [broken] = await make<readonly { message: string }[]>('sync', 'Broken')
    const id = /with the id (\S+)\.$/.exec(broken?.message ?? '')?.[1] ?? 'none'
    expect(broken?.message).not.toContain('hunter2')
    expect(await server.until(line => line.includes(id))).toContain('hunter2')
    const [wrong] = await make<readonly { message: string }[]>('sync', 'Wrong')
    const said = /with the id (\S+)\.$/.exec(wrong?.message ?? '')?.[1]
    const why = said === undefined ? wrong?.message : await server.until(line => line.includes(said))
    expect(why).toMatch(/w1.*photo.*Buffer/)

    // Behaviour of the model API.
    expect(await make('settings')).toEqual(['true', true, 'false'])
    expect(await make('owners')).toEqual(['Product', 'Order'])
    expect(await make('readerLeaves')).toBe(true)
    expect(await make('localReset')).toEqual([1, 0])
    expect(await make('changesOfLocal')).toBe(false)
    expect(await make('recreate')).toEqual(['kept'])
    expect(await make('lenient')).toEqual(['12', 'true', 1])
    expect(await make('clientId')).toBe(client)

    // Operators' scripts import many users, some of whom may exist, and read lists of any length.
    const hash = `scrypt$16$8$1$${Buffer.alloc(16).toString('base64url')}$${Buffer.alloc(32).toString('base64url')}`
    const people = Array.from({ length: 1000 }, (_, n) => JSON.stringify({ login: `person-${n}`, password_hash: hash }))
    write('people.ndjson', `${people.join('\n')}\n`)
    expect(godwit('login')).toContain('Logged in')
    expect(godwit('users', 'import', 'people.ndjson')).toContain('1000 created; 0 already existed')
    expect(godwit('users', 'import', 'people.ndjson')).toContain('0 created; 1000 already existed')
    const logins = new Set<string>()
    for await (const { login } of admin.users.details()) logins.add(login)
    expect(logins).toEqual(new Set(['ada', 'grace', 'linus', ...Array.from({ length: 1000 }, (_, n) => `person-${n}`)]))

    // With a secret, the address is accepted and its sources are queried immediately, regardless of earlier queries.
    await server.end()
    server = await serve({ SECRET: 'a secret of thirty two characters' })
    const backends = await Promise.all(['first', 'second'].map(backendOf))
    const [first, second] = backends as [Backend, Backend]
    expect(run({ ...settings, SECRET: 'a secret of thirty two characters' }, 'doctor').text).toMatch(
      /backend address: no address is set/,
    )
    for (const [backend, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const others = other.requested()
      expect(godwit('sources', 'backend', backend.url)).toContain(backend.url)
      await make('sync', 'Remote')
      expect([backend.requested(), other.requested()]).toEqual([1, others])
    }
    for (const { close } of backends) close()

    // Demo logins are printed only where they work. Users without a password can be created only if `authenticate` is configured.
    await server.end()
    const without = { ...settings, SYNC_STORE: 'memory:', XDG_CONFIG_HOME: join(path, 'nobody') }
    const create = () => run(without, 'users', 'create', 'eve', '--no-password')
    const demo = begin(GODWIT, ['start'], { ...without, SYNC_CONFIG: '' })
    expect(await demo.until(line => line.startsWith('Demo logins'))).toContain('ada')
    expect(create()).toMatchObject({ code: 1, text: expect.stringMatching(/password/) })
    await demo.end()
    write('strict.config.js', 'export default { authenticate: () => false, sources: [] }')
    const strict = begin(GODWIT, ['start'], { ...without, SYNC_CONFIG: 'strict.config.js' })
    await strict.until(line => line.startsWith('godwit listening'))
    expect(create()).toEqual({ code: 0, text: 'eve\n' })
    expect(strict.read()).not.toContain('Demo logins')
    await strict.end()

    // Production refuses a common password.
    const production = run({ ...settings, NODE_ENV: 'production', SYNC_ADMIN_PASSWORD: 'password1234' }, 'start')
    expect(production.code).not.toBe(0)
    expect(production.text).toMatch(/common password/)
  }, 600_000)
})

test('a browser bundle of the entry for Node fails with one sentence', async () => {
  write(
    'page.js',
    "import { openSdk } from '@godwit/model/node'\nopenSdk({}).catch(error => console.log(error.message))\n",
  )
  const outfile = join(path, 'bundle.mjs')
  const entryPoints = [join(path, 'page.js')]
  await build({ entryPoints, outfile, bundle: true, platform: 'browser', format: 'esm', logLevel: 'error' })
  const { stdout } = spawnSync(process.execPath, [outfile], { encoding: 'utf8' })
  expect(stdout).toMatch(/^@godwit\/model\/node runs in Node.*\n$/)
})

interface Backend {
  readonly url: string
  readonly requested: () => number
  readonly close: () => void
}

/** An HTTP backend that counts its queries of Remote. */
async function backendOf(text: string): Promise<Backend> {
  let requested = 0
  const server = createServer((request, response) => {
    if (request.url?.endsWith('/sync/query')) requested++
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ one: { text } }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}`, requested: () => requested, close: () => void server.close() }
}
