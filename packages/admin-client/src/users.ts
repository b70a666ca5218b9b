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

/** A new user: `login`, `password` (unless a backend checks it), and any other attributes. */
export type NewUser = Attributes & { readonly login: string; readonly password?: string }

/** The message of a ping, the clients to reach, the sources to sync and, with `async`, delivery by a job. */
export interface PingOptions extends CallOptions, Omit<Ping, 'user_id'> {}

/** With `async: true`, returns the job that sends the message. */
interface PingCall {
  (users: string | readonly string[], fields: PingOptions & { readonly async: true }): Promise<PingJob>
  (users: string | readonly string[], fields?: PingOptions & { readonly async?: false }): Promise<PingResult>
}

/** Options of creating a user. */
export interface RoleOptions extends CallOptions {
  /** Default `device`. */
  readonly role?: UserRole
}

/** Options of a list of users. Default: all at once. */
export interface UserListOptions extends UserList, CallOptions {}

/** The role, batch limits and progress of creating users. */
export interface CreateManyOptions extends RoleOptions {
  /** Called after each request with the number of users sent so far. */
  readonly onProgress?: (sent: number) => void
  readonly batch?: BatchLimits
}

/** Options of reading an object's history. */
export interface HistoryOptions extends CallOptions {
  /** Maximum number of versions. Default 100. */
  readonly limit?: number
}

/** Options of writing a document. */
export interface WriteOptions extends CallOptions {
  /** If true, text is concatenated and objects are merged attribute by attribute. Default false: replaces the document. */
  readonly append?: boolean
}

/** Users, their clients (devices), and the documents of their partitions. The user `*` selects the shared partition of an app source. */
export const usersOf = (connection: ServerConnection) =>
  ({
    create: (attributes: NewUser, { role, ...options }: RoleOptions = {}) =>
      call(connection, routes.users.create, { body: { attributes, ...(role && { role }) }, ...options }),

    /**
     * Creates the users that do not exist yet, each as `create` takes it, or as `{ attributes, role, password_hash }`, in requests of 50; if one fails, earlier ones are stored, and the call can be repeated. A password
     * takes about a quarter of a second of CPU time to hash; a `password_hash` takes none.
     */
    createMany: (users: Many<NewUser | UserCreate>, options: CreateManyOptions = {}) =>
      createMany(connection, users, options),

    /** Lists logins, sorted: all, or a page of `limit` logins after `after`. */
    list: ({ signal, ...query }: UserListOptions = {}) =>
      call(connection, routes.users.list, { query, ...(signal && { signal }) }),

    /** Iterates over all logins, sorted. */
    all: allUsers(connection),

    /** Iterates over all users, sorted. */
    details: userDetails(connection),

    get: (user: string, options: CallOptions = {}) =>
      call(connection, routes.users.get, { parameters: { user_id: user }, ...options }),

    /** Lists the users of one role, sorted by login, a page at a time. Default `limit` 100. */
    page: ({ signal, ...query }: UserListOptions = {}) =>
      call(connection, routes.users.page, { query, ...(signal && { signal }) }),

    /** Changes a user: merges free attributes (`null` removes one); `password` sets the password and ends all sessions; `locked` refuses logins. */
    update: (user: string, change: UserUpdate, options: CallOptions = {}) =>
      call(connection, routes.users.update, { parameters: { user_id: user }, body: change, ...options }),

    /** Deletes a user with all devices, sessions and data that only this user has. */
    delete: (user: string, options: CallOptions = {}) =>
      call(connection, routes.users.delete, { parameters: { user_id: user }, ...options }),

    /** Lists the sessions of the user's devices that have not expired, oldest first. */
    sessions: (user: string, options: CallOptions = {}) =>
      call(connection, routes.users.sessions, { parameters: { user_id: user }, ...options }),

    /** Ends one session; the devices that use it ask for a login before the next sync. */
    endSession: (user: string, session: string, options: CallOptions = {}) =>
      call(connection, routes.users.endSession, { parameters: { user_id: user, session_id: session }, ...options }),

    /** Ends all sessions of the user's devices, which ask for a login before the next sync; for an API user, revokes all tokens. */
    endSessions: (user: string, options: CallOptions = {}) =>
      call(connection, routes.users.endSessions, { parameters: { user_id: user }, ...options }),

    /** Drops what the server remembers of the user's access to partitions, and tells the user's devices to ask for their list again. */
    refreshPartitions: (user: string, options: CallOptions = {}) =>
      call(connection, routes.users.refreshPartitions, { parameters: { user_id: user }, ...options }),

    /** Lists ids of the user's clients. */
    clients: (user: string, options: CallOptions = {}) =>
      call(connection, routes.users.clients, { parameters: { user_id: user }, ...options }),

    deleteClient: (user: string, client: string, options: CallOptions = {}) =>
      call(connection, routes.users.deleteClient, { parameters: { user_id: user, client_id: client }, ...options }),

    /** Sends a push message to every device of one or more users, or to their named `clients`; `sources` names the sources to sync. */
    ping: ((users: string | readonly string[], { signal, ...fields }: PingOptions = {}) =>
      call(connection, routes.users.ping, {
        body: { user_id: users, ...fields },
        ...(signal && { signal }),
      })) as PingCall,

    /** Returns the state of a user's partition of a source. */
    partition: (user: string, source: string, options: CallOptions = {}) =>
      call(connection, routes.users.partition, { parameters: { user_id: user, source_id: source }, ...options }),

    /** Lists objects of a master document, a page at a time: all, or the matches of a search. */
    objects: (user: string, source: string, { signal, ...query }: ObjectList & CallOptions = {}) =>
      call(connection, routes.users.objects, {
        parameters: { user_id: user, source_id: source },
        query,
        ...(signal && { signal }),
      }),

    /** Returns the change history of an object: its versions with time and author, newest first. */
    history: (user: string, source: string, id: string, { limit, ...options }: HistoryOptions = {}) =>
      call(connection, routes.users.history, {
        parameters: { user_id: user, source_id: source },
        query: { id, ...(limit !== undefined && { limit }) },
        ...options,
      }),

    /** Lists the documents of a source for this user: names with REST paths. */
    documentNames: (user: string, source: string, options: CallOptions = {}) =>
      call(connection, routes.users.documentNames, { parameters: { user_id: user, source_id: source }, ...options }),

    /** Returns a document. `md` is the master document: all objects that the server holds for this user and source. */
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
  users: Many<NewUser | UserCreate>,
  { onProgress, batch, role, ...options }: CreateManyOptions,
): Promise<UsersCreated> {
  const created: string[] = []
  const existing: string[] = []
  for await (const some of userBatches(usersWith(role, users), batch)) {
    const answer = await call(connection, routes.users.createMany, { body: { users: some }, ...options })
    created.push(...answer.created)
    existing.push(...answer.existing)
    onProgress?.(created.length + existing.length)
  }
  return { created, existing }
}

async function* usersWith(role: UserRole | undefined, users: Many<NewUser | UserCreate>): AsyncGenerator<UserCreate> {
  for await (const user of users) yield { ...(role && { role }), ...(isWhole(user) ? user : { attributes: user }) }
}

/** A free attribute may be named `attributes` too: only a user whose login is among the attributes has them there. */
const isWhole = (user: NewUser | UserCreate): user is UserCreate => !('login' in user)
