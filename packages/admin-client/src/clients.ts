import { type ClientList, type DocumentContent, type Routes, routes } from '@godwit/protocol'
import { allClients, clientDetails } from './all.js'
import { call } from './call.js'
import type { CallOptions, ServerConnection } from './connection.js'
import { type ReadOptions, readDocument } from './read-document.js'
import type { WriteOptions } from './users.js'

/** Clients (devices) of all users. */
export const clientsOf = (connection: ServerConnection) =>
  ({
    /** Lists ids in order, a page at a time; `after` continues after an id. Default `limit` 100. */
    list: ({ signal, ...query }: ClientList & CallOptions = {}) =>
      call(connection, routes.clients.list, { query, ...(signal && { signal }) }),

    /** Iterates over all ids, in order: `for await (const client of admin.clients.all({ user }))`. */
    all: allClients(connection),

    /** Iterates over all clients in order of id, with their push addresses and last sync. */
    details: clientDetails(connection),

    get: (client: string, options: CallOptions = {}) =>
      call(connection, routes.clients.get, { parameters: { client_id: client }, ...options }),

    /** Lists clients in order of id, a page at a time, with their push addresses and last sync. Default `limit` 100. */
    page: ({ signal, ...query }: ClientList & CallOptions = {}) =>
      call(connection, routes.clients.page, { query, ...(signal && { signal }) }),

    /** Returns the sync state of each source on a client: its position, queued mutations, and unacknowledged outcomes. */
    sources: (client: string, options: CallOptions = {}) =>
      call(connection, routes.clients.sources, { parameters: { client_id: client }, ...options }),

    /** Signs out one device; other devices of the user stay signed in. */
    endSession: (client: string, options: CallOptions = {}) =>
      call(connection, routes.clients.endSession, { parameters: { client_id: client }, ...options }),

    /** Lists the documents of a source for this client: names with REST paths. */
    documentNames: (client: string, source: string, options: CallOptions = {}) =>
      call(connection, routes.clients.documentNames, {
        parameters: { client_id: client, source_id: source },
        ...options,
      }),

    /** Returns a document. `cd` is the data that the client has: the objects of the source up to its last position. */
    readDocument: <Options extends ReadOptions>(client: string, source: string, doc: string, options?: Options) =>
      readDocument(connection, routes.clients.readDocument, { client_id: client, source_id: source, doc }, {
        ...options,
      } as Options),

    /** Writes a document. Writing any object map to `cd` makes the client's next pull of the source a resync. */
    writeDocument: (
      client: string,
      source: string,
      doc: string,
      data: DocumentContent,
      { append, ...options }: WriteOptions = {},
    ) =>
      call(connection, routes.clients.writeDocument, {
        parameters: { client_id: client, source_id: source, doc },
        body: { data, ...(append !== undefined && { append }) },
        ...options,
      }),
  }) satisfies { [Name in keyof Routes['clients'] | 'all' | 'details']: unknown }
