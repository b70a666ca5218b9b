import { type AdminLogin, type Routes, type ServerEvent, SyncError } from '@godwit/protocol'
import { allEntries, allJobs, allMutations, allObjects, allRefusals, findObjects } from './all.js'
import { clientsOf } from './clients.js'
import type { CallOptions, Fetch, ServerConnection } from './connection.js'
import type { WatchOptions } from './events.js'
import { operationsOf } from './operations.js'
import { pushOf } from './plugin.js'
import { readStateOf } from './read-state.js'
import { sourcesOf } from './sources.js'
import { storeOf } from './store.js'
import { systemOf } from './system.js'
import { usersOf } from './users.js'

/** Which server an `AdminClient` calls, and as which API user. */
export interface AdminClientOptions {
  /** Where the server is, like `http://127.0.0.1:8675`. */
  readonly url: string
  /** From a login. Absent: a page of the server's own origin, whose cookie the browser sends (`system.signIn`). */
  readonly token?: string
  /** Default: the global `fetch`. */
  readonly fetch?: Fetch
}

/** What `AdminClient.login` takes: the server, and login and password of an API user. */
export type LoginOptions = Omit<AdminClientOptions, 'token'> & AdminLogin & CallOptions

/** A group of methods for each group of routes; a device's routes are `@godwit/model`'s. */
type Groups = { readonly [Group in Exclude<keyof Routes, 'device'> as Group extends 'plugin' ? 'push' : Group]: object }

/** The REST API, typed: one method per route. Methods reject with a `SyncError`; the constructor throws one where the url is none. */
export class AdminClient implements Groups {
  readonly #connection: ServerConnection
  readonly clients: ReturnType<typeof clientsOf>
  readonly operations: ReturnType<typeof operationsOf>
  readonly users: ReturnType<typeof usersOf>
  readonly push: ReturnType<typeof pushOf>
  readonly readState: ReturnType<typeof readStateOf>
  readonly sources: ReturnType<typeof sourcesOf>
  readonly store: ReturnType<typeof storeOf>
  readonly system: ReturnType<typeof systemOf>
  /** Mutations of devices without an outcome, in an order that stays: `for await (const mutation of admin.mutations.all())`. */
  readonly mutations: { readonly all: ReturnType<typeof allMutations> }
  /** Mutations that were not applied, from the newest to the oldest. */
  readonly refusals: { readonly all: ReturnType<typeof allRefusals> }
  /** Work outside of requests that is not done. */
  readonly jobs: { readonly all: ReturnType<typeof allJobs> }
  /** Who did what to the server, from the newest entry to the oldest. */
  readonly audit: { readonly all: ReturnType<typeof allEntries> }
  /** Objects of documents of any size, as they arrive. */
  readonly objects: { readonly all: ReturnType<typeof allObjects>; readonly find: ReturnType<typeof findObjects> }

  constructor(options: AdminClientOptions) {
    const connection = connectionOf(options)
    this.#connection = connection
    this.clients = clientsOf(connection)
    this.operations = operationsOf(connection)
    this.users = usersOf(connection)
    this.push = pushOf(connection)
    this.readState = readStateOf(connection)
    this.sources = sourcesOf(connection)
    this.store = storeOf(connection)
    this.system = systemOf(connection)
    this.mutations = { all: allMutations(connection) }
    this.refusals = { all: allRefusals(connection) }
    this.jobs = { all: allJobs(connection) }
    this.audit = { all: allEntries(connection) }
    this.objects = { all: allObjects(connection), find: findObjects(connection) }
  }

  /** Logs in and makes a client of the token. */
  static async login({ login, password, signal, ...options }: LoginOptions): Promise<AdminClient> {
    const { token } = await systemOf(connectionOf(options)).login({ login, password }, signal ? { signal } : {})
    return new AdminClient({ ...options, token })
  }

  /** What happens on the server, as it happens: `for await (const event of admin.events({ kinds: ['query_failed'] }))`. */
  events(options?: WatchOptions): AsyncGenerator<ServerEvent, never> {
    return this.operations.events(options)
  }

  /** Secret: to be kept where passwords are kept, and given to the constructor another time. */
  get token(): string {
    return this.#connection.token ?? ''
  }
}

const connectionOf = ({ url, token, fetch }: AdminClientOptions): ServerConnection => ({
  url: checkUrl(url).replace(/\/+$/, ''),
  ...(token !== undefined && { token }),
  // Called unbound: a browser's fetch refuses any other `this`
  fetch: fetch ?? ((address, request) => globalThis.fetch(address, request)),
})

/** A page may name its own server by a path; everything else needs to say how it is reached. */
function checkUrl(url: string): string {
  if (url === '' || url.startsWith('/') || (/^https?:\/\//i.test(url) && URL.canParse(url))) return url
  throw new SyncError(
    'value_not_allowed',
    `url: expected an address like http://127.0.0.1:8675, got ${JSON.stringify(url)}.`,
  )
}
