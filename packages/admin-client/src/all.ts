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

/** The filters of a list, without its paging members. */
export type ListFilter<List> = Omit<List, 'after' | 'before' | 'limit'> & CallOptions

/** Identifies a document of objects: a source's document for a user or a client. */
export type ObjectsOf = CallOptions & {
  readonly source: string
  /** Default: `md` for a user, `cd` for a client. */
  readonly document?: string
} & ({ readonly user: string; readonly client?: never } | { readonly client: string; readonly user?: never })

const identity = (text: string): string => text
const idOf = ({ id }: { readonly id: string }): string => id

/** Iterates over client ids. */
export const allClients =
  (connection: ServerConnection) =>
  ({ signal, ...filter }: ListFilter<ClientList> = {}): AsyncGenerator<string, undefined> =>
    pages(
      page => call(connection, routes.clients.list, { query: { ...filter, ...page }, ...callOptions(signal) }),
      identity,
    )

/** Iterates over the logins of one role. */
export const allUsers =
  (connection: ServerConnection) =>
  ({ signal, ...filter }: ListFilter<UserList> = {}): AsyncGenerator<string, undefined> =>
    pages(
      page => call(connection, routes.users.list, { query: { ...filter, ...page }, ...callOptions(signal) }),
      identity,
    )

/** Iterates over mutations in one state. Default: those in doubt. */
export const allMutations =
  (connection: ServerConnection) =>
  ({ signal, ...filter }: ListFilter<UndecidedList> = {}): AsyncGenerator<UndecidedMutation, undefined> =>
    pages(
      page => call(connection, routes.operations.undecided, { query: { ...filter, ...page }, ...callOptions(signal) }),
      idOf,
    )

/** Iterates over unfinished jobs. */
export const allJobs =
  (connection: ServerConnection) =>
  ({ signal, ...filter }: ListFilter<JobList> = {}): AsyncGenerator<JobInfo, undefined> =>
    pages(page => call(connection, routes.system.jobs, { query: { ...filter, ...page }, ...callOptions(signal) }), idOf)

/** Iterates over audit entries, newest first. */
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

/** Iterates over the objects of a document as they arrive: `[id, attributes]`. */
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

/** Iterates over the users of one role. */
export const userDetails =
  (connection: ServerConnection) =>
  ({ signal, ...filter }: ListFilter<UserList> = {}): AsyncGenerator<User, undefined> =>
    pages(
      page => call(connection, routes.users.page, { query: { ...filter, ...page }, ...callOptions(signal) }),
      ({ login }) => login,
    )

/** Iterates over clients, with their push addresses and last sync. */
export const clientDetails =
  (connection: ServerConnection) =>
  ({ signal, ...filter }: ListFilter<ClientList> = {}) =>
    pages(
      page => call(connection, routes.clients.page, { query: { ...filter, ...page }, ...callOptions(signal) }),
      ({ client_id }) => client_id,
    )

/** Iterates over mutations that were not applied, newest first. */
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

/** Selects objects of a master document. */
export type ObjectSearch = ListFilter<ObjectList> & { readonly source: string; readonly user: string }

/** Iterates over objects of a master document with their versions: all, or the matches of a search. */
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
      // An empty page may have a next one, because each request scans a limited number of objects.
      if (next === undefined) return
      after = next
    }
  }

const callOptions = (signal: AbortSignal | undefined): CallOptions => (signal ? { signal } : {})

/** Items per request. */
const PAGE = 500

/** Selects a page: the items after a position. */
interface PageQuery<Position> {
  readonly after?: Position
  readonly limit: number
}

/**
 * Iterates over all items of a list, in the server's order. The next page is requested after all items of a page were consumed; a page with fewer
 * items than the limit is the last.
 */
async function* pages<T, Position = string>(
  read: (page: PageQuery<Position>) => Promise<readonly T[]>,
  positionOf: (item: T) => Position,
): AsyncGenerator<T, undefined> {
  for (let next: PageQuery<Position> = { limit: PAGE }; ; ) {
    const page = await read(next)
    yield* page
    const last = page.at(-1)
    // A server without paging returns all items at once, which may be more than the limit.
    if (last === undefined || page.length !== PAGE) return
    next = { after: positionOf(last), limit: PAGE }
  }
}
