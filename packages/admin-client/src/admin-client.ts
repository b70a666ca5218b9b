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

/** Options of an `AdminClient`: the server and the API user's token. */
export interface AdminClientOptions {
  /** Base URL of the server, like `http://127.0.0.1:8675`. */
  readonly url: string
  /** A token from a login. Default: none; pages of the server's origin use the cookie of `system.signIn` instead. */
  readonly token?: string
  /** Default: the global `fetch`. */
  readonly fetch?: Fetch
}

/** Options of `AdminClient.login`: the server, and login and password of an API user. */
export type LoginOptions = Omit<AdminClientOptions, 'token'> & AdminLogin & CallOptions

/** One member for each group of routes. Device routes are called by `@godwit/model`. */
type Groups = { readonly [Group in Exclude<keyof Routes, 'device'> as Group extends 'plugin' ? 'push' : Group]: object }

/** A typed client of the REST API, with one method per route. Methods reject with a `SyncError`; the constructor throws one for an invalid `url`. */
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
  /** Iterates over mutations without an outcome, in a stable order: `for await (const mutation of admin.mutations.all())`. */
  readonly mutations: { readonly all: ReturnType<typeof allMutations> }
  /** Iterates over mutations that were not applied, newest first. */
  readonly refusals: { readonly all: ReturnType<typeof allRefusals> }
  /** Iterates over unfinished background jobs. */
  readonly jobs: { readonly all: ReturnType<typeof allJobs> }
  /** Iterates over audit entries, newest first. */
  readonly audit: { readonly all: ReturnType<typeof allEntries> }
  /** Iterates over objects of documents of any size. */
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

  /** Logs in and returns a client with the token. */
  static async login({ login, password, signal, ...options }: LoginOptions): Promise<AdminClient> {
    const { token } = await systemOf(connectionOf(options)).login({ login, password }, signal ? { signal } : {})
    return new AdminClient({ ...options, token })
  }

  /** Iterates over server events as they happen: `for await (const event of admin.events({ kinds: ['query_failed'] }))`. */
  events(options?: WatchOptions): AsyncGenerator<ServerEvent, never> {
    return this.operations.events(options)
  }

  /** The API token. Secret: store it like a password; the constructor accepts it. */
  get token(): string {
    return this.#connection.token ?? ''
  }
}

const connectionOf = ({ url, token, fetch }: AdminClientOptions): ServerConnection => ({
  url: checkUrl(url).replace(/\/+$/, ''),
  ...(token !== undefined && { token }),
  // Called without a `this`, because a browser's fetch throws for any other than the global object
  fetch: fetch ?? ((address, request) => globalThis.fetch(address, request)),
})

/** Accepts an http or https URL, or a path, by which a page names its own server. Throws `value_not_allowed` for anything else. */
function checkUrl(url: string): string {
  if (url === '' || url.startsWith('/') || (/^https?:\/\//i.test(url) && URL.canParse(url))) return url
  throw new SyncError(
    'value_not_allowed',
    `url: expected an address like http://127.0.0.1:8675, got ${JSON.stringify(url)}.`,
  )
}
