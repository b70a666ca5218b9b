import {
  type Attributes,
  type DocumentContent,
  type ObjectList,
  type Ping,
  type PingJob,
  type PingResult,
  type Routes,
  routes,
  type UserCreate,
  type UserList,
  type UserRole,
  type UsersCreated,
  type UserUpdate,
} from '@godwit/protocol'
import { allUsers, userDetails } from './all.js'
import { type BatchLimits, type Many, userBatches } from './batches.js'
import { call } from './call.js'
import type { CallOptions, ServerConnection } from './connection.js'
import { type ReadOptions, readDocument } from './read-document.js'

/** A new user: `login`, the `password` unless others check it, and any attributes of your own. */
export type NewUser = Attributes & { readonly login: string; readonly password?: string }

/** What a ping carries to devices: a message, sources to sync and, with `async`, whether a job sends it. */
export interface PingOptions extends CallOptions, Omit<Ping, 'user_id'> {}

/** With `async: true` it answers the job that sends it. */
interface PingCall {
  (users: string | readonly string[], fields: PingOptions & { readonly async: true }): Promise<PingJob>
  (users: string | readonly string[], fields?: PingOptions & { readonly async?: false }): Promise<PingResult>
}

/** The role of a new user. */
export interface RoleOptions extends CallOptions {
  /** Default `device`. */
  readonly role?: UserRole
}

/** Without `after` and `limit` all of them at once. */
export interface UserListOptions extends UserList, CallOptions {}

/** How users are split into requests, and who hears of the progress. */
export interface CreateManyOptions extends CallOptions {
  /** After each request: how many users were sent so far. */
  readonly onProgress?: (sent: number) => void
  readonly batch?: BatchLimits
}

/** How many versions of an object are read. */
export interface HistoryOptions extends CallOptions {
  /** Versions. Default 100. */
  readonly limit?: number
}

/** Whether a write replaces a document or adds to it. */
export interface WriteOptions extends CallOptions {
  /** True: text is concatenated, objects are merged attribute by attribute. Default: the content replaces what is there. */
  readonly append?: boolean
}

/** Users, their clients (devices), and the documents of their partitions. A user of `*` means the shared partition of an app source. */
export const usersOf = (connection: ServerConnection) =>
  ({
    create: (attributes: NewUser, { role, ...options }: RoleOptions = {}) =>
      call(connection, routes.users.create, { body: { attributes, ...(role && { role }) }, ...options }),

    /**
     * Makes the users that do not exist yet, in requests of 50; if one fails, those before it are made, and all of it can be done again. A user with a
     * `password_hash` takes no time, one with a password about a quarter of a second of a core.
     */
    createMany: (users: Many<UserCreate>, options: CreateManyOptions = {}) => createMany(connection, users, options),

    /** Logins, sorted: all of them, or a page of `limit` logins behind `after`. */
    list: ({ signal, ...query }: UserListOptions = {}) =>
      call(connection, routes.users.list, { query, ...(signal && { signal }) }),

    /** The logins of all of them, sorted, page after page. */
    all: allUsers(connection),

    /** All of them with what is known of each, sorted, page after page. */
    details: userDetails(connection),

    get: (user: string, options: CallOptions = {}) =>
      call(connection, routes.users.get, { parameters: { user_id: user }, ...options }),

    /** A page of the users of one role, sorted by login: 100 unless a `limit` says otherwise. */
    page: ({ signal, ...query }: UserListOptions = {}) =>
      call(connection, routes.users.page, { query, ...(signal && { signal }) }),

    /** Merges free attributes; `null` removes one; `password` sets the password and ends all sessions; `locked` lets no login succeed. */
    update: (user: string, change: UserUpdate, options: CallOptions = {}) =>
      call(connection, routes.users.update, { parameters: { user_id: user }, body: change, ...options }),

    /** Deletes the user with all devices, sessions and data that is this user's alone. */
    delete: (user: string, options: CallOptions = {}) =>
      call(connection, routes.users.delete, { parameters: { user_id: user }, ...options }),

    /** Ends all sessions of the user's devices, which ask for a login before they sync again; of an API user all tokens. */
    endSessions: (user: string, options: CallOptions = {}) =>
      call(connection, routes.users.endSessions, { parameters: { user_id: user }, ...options }),

    /** Ids of the user's clients. */
    clients: (user: string, options: CallOptions = {}) =>
      call(connection, routes.users.clients, { parameters: { user_id: user }, ...options }),

    deleteClient: (user: string, client: string, options: CallOptions = {}) =>
      call(connection, routes.users.deleteClient, { parameters: { user_id: user, client_id: client }, ...options }),

    /** A push message to every device of a user, or of many; `sources` is what they sync on it. */
    ping: ((users: string | readonly string[], { signal, ...fields }: PingOptions = {}) =>
      call(connection, routes.users.ping, {
        body: { user_id: users, ...fields },
        ...(signal && { signal }),
      })) as PingCall,

    /** How this user's copy of a source stands. */
    partition: (user: string, source: string, options: CallOptions = {}) =>
      call(connection, routes.users.partition, { parameters: { user_id: user, source_id: source }, ...options }),

    /** Objects of a master document, a page at a time: all, or those that a search finds. */
    objects: (user: string, source: string, { signal, ...query }: ObjectList & CallOptions = {}) =>
      call(connection, routes.users.objects, {
        parameters: { user_id: user, source_id: source },
        query,
        ...(signal && { signal }),
      }),

    /** Who changed an object, and when: its versions, newest first. */
    history: (user: string, source: string, id: string, { limit, ...options }: HistoryOptions = {}) =>
      call(connection, routes.users.history, {
        parameters: { user_id: user, source_id: source },
        query: { id, ...(limit !== undefined && { limit }) },
        ...options,
      }),

    /** Name of each document → its REST path. */
    documentNames: (user: string, source: string, options: CallOptions = {}) =>
      call(connection, routes.users.documentNames, { parameters: { user_id: user, source_id: source }, ...options }),

    /** `md` is the master document: every object that the server holds for this user and source. */
    readDocument: <Options extends ReadOptions>(user: string, source: string, doc: string, options?: Options) =>
      readDocument(connection, routes.users.readDocument, { user_id: user, source_id: source, doc }, {
        ...options,
      } as Options),

    writeDocument: (
      user: string,
      source: string,
      doc: string,
      data: DocumentContent,
      { append, ...options }: WriteOptions = {},
    ) =>
      call(connection, routes.users.writeDocument, {
        parameters: { user_id: user, source_id: source, doc },
        body: { data, ...(append !== undefined && { append }) },
        ...options,
      }),
  }) satisfies { [Name in keyof Routes['users'] | 'all' | 'details']: unknown }

async function createMany(
  connection: ServerConnection,
  users: Many<UserCreate>,
  { onProgress, batch, ...options }: CreateManyOptions,
): Promise<UsersCreated> {
  const created: string[] = []
  const existing: string[] = []
  for await (const some of userBatches(users, batch)) {
    const answer = await call(connection, routes.users.createMany, { body: { users: some }, ...options })
    created.push(...answer.created)
    existing.push(...answer.existing)
    onProgress?.(created.length + existing.length)
  }
  return { created, existing }
}
