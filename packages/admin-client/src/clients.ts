import { type ClientList, type DocumentContent, type Routes, routes } from '@godwit/protocol'
import { allClients, clientDetails } from './all.js'
import { call } from './call.js'
import type { CallOptions, ServerConnection } from './connection.js'
import { type ReadOptions, readDocument } from './read-document.js'
import type { WriteOptions } from './users.js'

/** Clients (devices) of all users. */
export const clientsOf = (connection: ServerConnection) =>
  ({
    /** Ids in order, 100 at once unless a `limit` says otherwise; `after` the last one come the next. */
    list: ({ signal, ...query }: ClientList & CallOptions = {}) =>
      call(connection, routes.clients.list, { query, ...(signal && { signal }) }),

    /** The ids of all of them, in order: `for await (const client of admin.clients.all({ user }))`. */
    all: allClients(connection),

    /** All of them in order of id, each with what its device told and when it last synced. */
    details: clientDetails(connection),

    get: (client: string, options: CallOptions = {}) =>
      call(connection, routes.clients.get, { parameters: { client_id: client }, ...options }),

    /** A page of them in order of id, 100 unless a `limit` says otherwise, each with what its device told and when it last synced. */
    page: ({ signal, ...query }: ClientList & CallOptions = {}) =>
      call(connection, routes.clients.page, { query, ...(signal && { signal }) }),

    /** What a client has of each source, what waits for it there, and what it has not heard of. */
    sources: (client: string, options: CallOptions = {}) =>
      call(connection, routes.clients.sources, { parameters: { client_id: client }, ...options }),

    /** Signs one device out: its session ends, others of its user stay. */
    endSession: (client: string, options: CallOptions = {}) =>
      call(connection, routes.clients.endSession, { parameters: { client_id: client }, ...options }),

    /** Name of each document of a source for this client → its REST path. */
    documentNames: (client: string, source: string, options: CallOptions = {}) =>
      call(connection, routes.clients.documentNames, {
        parameters: { client_id: client, source_id: source },
        ...options,
      }),

    /** `cd` is what the client is known to have: the objects of the source up to its last position. */
    readDocument: <Options extends ReadOptions>(client: string, source: string, doc: string, options?: Options) =>
      readDocument(connection, routes.clients.readDocument, { client_id: client, source_id: source, doc }, {
        ...options,
      } as Options),

    /** Writing `cd`, with any object map, makes the client's next pull of the source a resync. */
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
