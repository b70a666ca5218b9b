import { type ClientList, type Routes, routes } from '@godwit/protocol'
import { call } from './call.js'
import type { CallOptions, Connection } from './connection.js'

/** Clients (devices) of all users. */
export const clientsOf = (connection: Connection) =>
  ({
    /** Ids in order, 100 at once unless a `limit` says otherwise; `after` the last one come the next. */
    list: ({ signal, ...query }: ClientList & CallOptions = {}) =>
      call(connection, routes.clients.list, { query, ...(signal && { signal }) }),

    get: (client: string, options: CallOptions = {}) =>
      call(connection, routes.clients.get, { parameters: { client_id: client }, ...options }),
  }) satisfies { [Name in keyof Routes['clients']]: unknown }
