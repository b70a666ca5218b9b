import { type DocumentContent, type Routes, routes } from '@godwit/protocol'
import { call } from './call.js'
import type { ServerConnection } from './connection.js'
import { type ReadOptions, readDocument } from './read-document.js'
import type { WriteOptions } from './users.js'

/** Documents of the server. */
export const storeOf = (connection: ServerConnection) =>
  ({
    read: <Options extends ReadOptions>(doc: string, options?: Options) =>
      readDocument(connection, routes.store.read, { doc }, { ...options } as Options),

    write: (doc: string, data: DocumentContent, { append, ...options }: WriteOptions = {}) =>
      call(connection, routes.store.write, {
        parameters: { doc },
        body: { data, ...(append !== undefined && { append }) },
        ...options,
      }),
  }) satisfies { [Name in keyof Routes['store']]: unknown }
