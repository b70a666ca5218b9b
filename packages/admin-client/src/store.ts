import { type DocumentContent, type Routes, routes } from '@godwit/protocol'
import { call } from './call.js'
import type { CallOptions, Connection } from './connection.js'
import type { WriteOptions } from './users.js'

/** Documents of the server itself. */
export const storeOf = (connection: Connection) =>
  ({
    read: (doc: string, options: CallOptions = {}) =>
      call(connection, routes.store.read, { parameters: { doc }, ...options }),

    write: (doc: string, data: DocumentContent, { append, ...options }: WriteOptions = {}) =>
      call(connection, routes.store.write, {
        parameters: { doc },
        body: { data, ...(append !== undefined && { append }) },
        ...options,
      }),
  }) satisfies { [Name in keyof Routes['store']]: unknown }
