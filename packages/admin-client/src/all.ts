import {
  type AuditEntry,
  type AuditList,
  type ClientList,
  type JobInfo,
  type JobList,
  type ObjectList,
  type Refusal,
  type RefusalList,
  routes,
  type StoredObject,
  type UndecidedList,
  type UndecidedMutation,
  type User,
  type UserList,
} from '@godwit/protocol'
import { call } from './call.js'
import type { CallOptions, ServerConnection } from './connection.js'
import { readDocument } from './read-document.js'
import type { StreamedObject } from './stream.js'

/** The filters of a list, without its pages. */
export type ListFilter<List> = Omit<List, 'after' | 'before' | 'limit'> & CallOptions

/** Which document of objects: a user's or a client's copy of a source. */
export type ObjectsOf = CallOptions & {
  readonly source: string
  /** Default: `md` of a user, `cd` of a client. */
  readonly document?: string
} & ({ readonly user: string; readonly client?: never } | { readonly client: string; readonly user?: never })

const identity = (text: string): string => text
const idOf = ({ id }: { readonly id: string }): string => id

/** Ids of clients. */
export const allClients =
  (connection: ServerConnection) =>
  ({ signal, ...filter }: ListFilter<ClientList> = {}): AsyncGenerator<string, undefined> =>
    pages(
      page => call(connection, routes.clients.list, { query: { ...filter, ...page }, ...callOptions(signal) }),
      identity,
    )

/** Logins of one role. */
export const allUsers =
  (connection: ServerConnection) =>
  ({ signal, ...filter }: ListFilter<UserList> = {}): AsyncGenerator<string, undefined> =>
    pages(
      page => call(connection, routes.users.list, { query: { ...filter, ...page }, ...callOptions(signal) }),
      identity,
    )

/** Mutations of one state; by default those in doubt. */
export const allMutations =
  (connection: ServerConnection) =>
  ({ signal, ...filter }: ListFilter<UndecidedList> = {}): AsyncGenerator<UndecidedMutation, undefined> =>
    pages(
      page => call(connection, routes.operations.undecided, { query: { ...filter, ...page }, ...callOptions(signal) }),
      idOf,
    )

/** Jobs that are not done. */
export const allJobs =
  (connection: ServerConnection) =>
  ({ signal, ...filter }: ListFilter<JobList> = {}): AsyncGenerator<JobInfo, undefined> =>
    pages(page => call(connection, routes.system.jobs, { query: { ...filter, ...page }, ...callOptions(signal) }), idOf)

/** Entries of the audit, from the newest to the oldest. */
export const allEntries =
  (connection: ServerConnection) =>
  ({ signal, ...filter }: ListFilter<AuditList> = {}): AsyncGenerator<AuditEntry, undefined> =>
    pages<AuditEntry, number>(
      ({ after, limit }) => {
        const query = { ...filter, ...(after !== undefined && { before: after }), limit }
        return call(connection, routes.operations.audit, { query, ...callOptions(signal) })
      },
      ({ number }) => number,
    )

/** Objects of a document, as they arrive: `[id, attributes]`. */
export const allObjects =
  (connection: ServerConnection) =>
  ({ source, user, client, document, signal }: ObjectsOf): AsyncIterable<StreamedObject> =>
    client === undefined
      ? readDocument(
          connection,
          routes.users.readDocument,
          { user_id: user, source_id: source, doc: document ?? 'md' },
          { stream: true, ...callOptions(signal) },
        )
      : readDocument(
          connection,
          routes.clients.readDocument,
          { client_id: client, source_id: source, doc: document ?? 'cd' },
          { stream: true, ...callOptions(signal) },
        )

/** Users of one role, with what is known of each. */
export const userDetails =
  (connection: ServerConnection) =>
  ({ signal, ...filter }: ListFilter<UserList> = {}): AsyncGenerator<User, undefined> =>
    pages(
      page => call(connection, routes.users.page, { query: { ...filter, ...page }, ...callOptions(signal) }),
      ({ login }) => login,
    )

/** Clients, with what each told and when it last synced. */
export const clientDetails =
  (connection: ServerConnection) =>
  ({ signal, ...filter }: ListFilter<ClientList> = {}) =>
    pages(
      page => call(connection, routes.clients.page, { query: { ...filter, ...page }, ...callOptions(signal) }),
      ({ client_id }) => client_id,
    )

/** Mutations that were not applied, from the newest to the oldest. */
export const allRefusals = (connection: ServerConnection) =>
  async function* ({ signal, ...filter }: ListFilter<RefusalList> = {}): AsyncGenerator<Refusal, undefined> {
    for (let after: string | undefined; ; ) {
      const query = { ...filter, ...(after !== undefined && { after }) }
      const { refusals, next } = await call(connection, routes.operations.refusals, { query, ...callOptions(signal) })
      yield* refusals
      if (next === undefined) return
      after = next
    }
  }

/** Which objects of a master document. */
export type ObjectSearch = ListFilter<ObjectList> & { readonly source: string; readonly user: string }

/** Objects of a master document with their versions: all of them, or those that a search finds. */
export const findObjects = (connection: ServerConnection) =>
  async function* ({ source, user, signal, ...filter }: ObjectSearch): AsyncGenerator<StoredObject, undefined> {
    const parameters = { user_id: user, source_id: source }
    for (let after: string | undefined; ; ) {
      const query = { ...filter, ...(after !== undefined && { after }) }
      const { objects, next } = await call(connection, routes.users.objects, {
        parameters,
        query,
        ...callOptions(signal),
      })
      yield* objects
      // A page may be empty and have others behind it: each request looks at a bounded number of objects.
      if (next === undefined) return
      after = next
    }
  }

const callOptions = (signal: AbortSignal | undefined): CallOptions => (signal ? { signal } : {})

/** Entries that one request asks for. */
const PAGE = 500

/** Which page: what stands behind the last item of the one before. */
interface PageQuery<Position> {
  readonly after?: Position
  readonly limit: number
}

/** All items of a list, in the server's order. A page is requested when the one before has been read; a page that is not full is the last. */
async function* pages<T, Position = string>(
  read: (page: PageQuery<Position>) => Promise<readonly T[]>,
  positionOf: (item: T) => Position,
): AsyncGenerator<T, undefined> {
  for (let next: PageQuery<Position> = { limit: PAGE }; ; ) {
    const page = await read(next)
    yield* page
    const last = page.at(-1)
    // A server that knows no pages answers all at once, in whatever length.
    if (last === undefined || page.length !== PAGE) return
    next = { after: positionOf(last), limit: PAGE }
  }
}
