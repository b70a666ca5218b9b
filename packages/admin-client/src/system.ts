import { type AdminLogin, type Routes, routes } from '@godwit/protocol'
import { call } from './call.js'
import type { CallOptions, Connection } from './connection.js'

/** The server as a whole. */
export const systemOf = (connection: Connection) =>
  ({
    /** A new token with its end and role. `AdminClient.login` makes a client of it. */
    login: (credentials: AdminLogin, options: CallOptions = {}) =>
      call(connection, routes.system.login, { body: credentials, ...options }),
  }) satisfies { [Name in keyof Routes['system']]: unknown }
