import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { AdminClient } from '@godwit/admin-client'
import { API_TOKEN_HEADER, type Attributes, CLIENT_ID_HEADER, type Page } from '@godwit/protocol'
import {
  createSyncServer,
  defineSource,
  failure,
  refusal,
  type SyncServer,
  type SyncServerOptions,
} from '@godwit/server'
import { type Jobs, openMemoryStore, type Store } from '@godwit/store'

export const PASSWORDS = {
  admin: 'a long admin password',
  rita: 'a long reader password',
  otto: 'an operator password',
}
export const FOLDER = fileURLToPath(new URL('../../../apps/server/pages/console', import.meta.url))

export interface ConsoleOptions {
  readonly store?: Store
  /** Default: in memory. */
  readonly jobs?: Jobs
  /** Sources beside those of every world. */
  readonly sources?: SyncServerOptions['sources']
  readonly objects?: number
  readonly users?: number
  readonly devices?: number
}

/** A server with a console and data of every kind that its pages show. */
export interface ConsoleWorld {
  readonly server: SyncServer
  readonly url: string
  readonly admin: AdminClient
  readonly devices: readonly ConsoleDevice[]
}

export interface ConsoleDevice {
  readonly client: string
  readonly headers: Readonly<Record<string, string>>
}

const Product = defineSource<object>({ name: 'Product', partition: 'app', pollInterval: -1 })
const Price = defineSource<object>({
  name: 'Price',
  partition: 'app',
  pollInterval: 60,
  query: () => Promise.reject(failure('the price list is locked by its night run')),
})
/** Refuses what is late. */
const visit = ({ note }: { readonly note?: string }): undefined => {
  if (note === 'late') throw refusal('the visit is in the past')
}
const Visit = defineSource<object>({ name: 'Visit', pollInterval: 300, query: () => ({}), create: visit })
const Order = defineSource<object>({
  name: 'Order',
  pollInterval: -1,
  syncPriority: 500,
  create: () => Promise.reject(new Error('the order system closed the connection')),
})

const CITIES = ['Porto', 'Lisboa', 'Ystad', 'Bergen', 'Galway', 'Brest', 'Texel', 'Vigo', 'Bodø', 'Kiel']
const KINDS = ['Lamp', 'Chair', 'Table', 'Shelf', 'Kettle', 'Radio', 'Rope', 'Compass']

/** A process of a server with a console over a store. */
export async function serverOver(
  store: Store,
  jobs?: Jobs,
  sources: SyncServerOptions['sources'] = [],
): Promise<{ readonly server: SyncServer; readonly url: string }> {
  const server = createSyncServer({
    store,
    ...(jobs && { jobs }),
    sources: [Product, Price, Visit, Order, ...sources],
    admin: { login: 'admin', password: PASSWORDS.admin },
    limits: { passwordCost: 16 },
    backend: { secret: 'what the backend of the console knows' },
    pages: [{ path: '/console', folder: FOLDER }],
  })
  const { url } = await server.listen({ port: 0 })
  return { server, url }
}

export async function openWorld({
  store = openMemoryStore(),
  jobs,
  sources,
  ...sizes
}: ConsoleOptions = {}): Promise<ConsoleWorld> {
  const { objects = 3000, users = 60, devices: count = 12 } = sizes
  const { server, url } = await serverOver(store, jobs, sources)
  const admin = await AdminClient.login({ url, login: 'admin', password: PASSWORDS.admin })
  await admin.users.create({ login: 'rita', password: PASSWORDS.rita }, { role: 'reader' })
  await admin.users.create({ login: 'otto', password: PASSWORDS.otto }, { role: 'operator' })
  const logins = Array.from({ length: users }, (_, place) => `user${String(place + 1).padStart(4, '0')}`)
  const teams = ['north', 'south', 'harbour']
  const many = logins.map((login, place) => ({ attributes: { login, password: login, team: teams[place % 3] ?? '' } }))
  await admin.users.createMany(many)
  await admin.push.objects('Product', '*', products(objects))
  const devices: ConsoleDevice[] = []
  for (const login of logins.slice(0, count)) devices.push(await openDevice(url, login))
  await failOrder(url, devices[0] as ConsoleDevice)
  await fetch(`${url}/rc/v1/users/nobody`, { headers: { [API_TOKEN_HEADER]: admin.token } })
  return { server, url, admin, devices }
}

function* products(count: number): Generator<readonly [string, Attributes]> {
  for (let n = 1; n <= count; n++) {
    const attributes = {
      name: `${KINDS[n % KINDS.length]} ${n}`,
      price: Math.round((n * 7919) % 50_000) / 100,
      stock: n % 240,
      store: CITIES[n % CITIES.length] ?? '',
    }
    yield [String(1_000_000 + n), attributes]
  }
}

/** Logs a device in, which has registered nothing. */
export async function openClient(url: string, login: string): Promise<ConsoleDevice> {
  const { session } = await post<{ session: string }>(`${url}/rc/v1/app/login`, {}, { login, password: login })
  const bearer = { authorization: `Bearer ${session}` }
  const { client } = await post<{ client: { client_id: string } }>(`${url}/rc/v1/clients`, bearer, {})
  return { client: client.client_id, headers: { ...bearer, [CLIENT_ID_HEADER]: client.client_id } }
}

async function openDevice(url: string, login: string): Promise<ConsoleDevice> {
  const device = await openClient(url, login)
  const app = {
    device_app_id: 'example.stock',
    device_app_version: '4.2.0',
    device_type: 'android',
    device_pin: randomUUID(),
  }
  await post(`${url}/rc/v1/clients/${device.client}/register`, device.headers, app)
  for (const source of ['Product', 'Price', 'Visit']) await pull(url, device.headers, source)
  return device
}

async function post<T>(address: string, headers: ConsoleDevice['headers'], body: object): Promise<T> {
  const all = { 'content-type': 'application/json', ...headers }
  return (await (await fetch(address, { method: 'POST', headers: all, body: JSON.stringify(body) })).json()) as T
}

/** One page, and where the next begins. */
export async function pull(url: string, headers: ConsoleDevice['headers'], source: string, token = ''): Promise<Page> {
  const query = token === '' ? '' : `?token=${encodeURIComponent(token)}`
  return (await (await fetch(`${url}/app/v1/${source}${query}`, { headers: { ...headers } })).json()) as Page
}

/** A write that the backend refuses. */
export async function refuseVisit(
  { url, devices }: Pick<ConsoleWorld, 'url' | 'devices'>,
  place: number,
): Promise<void> {
  const { headers } = devices[place] as ConsoleDevice
  const { epoch } = await pull(url, headers, 'Visit')
  const mutation = {
    number: 1,
    key: `visit ${randomUUID()}`,
    operation: 'create',
    object: 'v1',
    attributes: { note: 'late' },
  }
  const body = JSON.stringify({ epoch, acknowledged: 0, mutations: [mutation] })
  const all = { 'content-type': 'application/json', ...headers }
  await fetch(`${url}/app/v1/Visit`, { method: 'POST', headers: all, body })
}

/** A write whose backend never says what became of it. */
async function failOrder(url: string, { headers }: ConsoleDevice): Promise<void> {
  const { epoch } = await pull(url, headers, 'Order')
  const mutations = [1, 2].map(number => ({
    number,
    key: `order ${number} ${randomUUID()}`,
    operation: 'create',
    object: `new${number}`,
    attributes: { product: String(1_000_000 + number), count: number },
  }))
  const body = JSON.stringify({ epoch, acknowledged: 0, mutations })
  await fetch(`${url}/app/v1/Order`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
}
