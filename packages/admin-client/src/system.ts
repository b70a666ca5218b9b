import {
  type AdminLogin,
  type JobList,
  type Routes,
  routes,
  type StatsBucket,
  type StatsLevel,
  type StatsQuery,
  type TokenList,
} from '@godwit/protocol'
import { call } from './call.js'
import type { CallOptions, ServerConnection } from './connection.js'

/** Which points of a metric are read, by index: 0 is the first, -1 the last. */
export type StatsRange = Pick<StatsQuery, 'start' | 'finish'> & CallOptions

/** The server as a whole. */
export const systemOf = (connection: ServerConnection) =>
  ({
    /** A new token with its end and role. `AdminClient.login` makes a client of it. */
    login: (credentials: AdminLogin, options: CallOptions = {}) =>
      call(connection, routes.system.login, { body: credentials, ...options }),

    /** A page of the server's own origin signs in: its cookie then stands for a token, which no script can read. */
    signIn: (credentials: AdminLogin, options: CallOptions = {}) =>
      call(connection, routes.system.signIn, { body: credentials, ...options }),

    /** Who is signed in, by cookie or token. */
    session: (options: CallOptions = {}) => call(connection, routes.system.session, options),

    /** Ends the session of the cookie, or this token. */
    signOut: (options: CallOptions = {}) => call(connection, routes.system.signOut, options),

    /** How the server is: what it holds, what waits, and what should be looked after. */
    state: (options: CallOptions = {}) => call(connection, routes.system.state, options),

    /** The terms in use, and how many devices use the server under them. */
    license: (options: CallOptions = {}) => call(connection, routes.system.license, options),

    /**
     * Empties the server: users, clients, documents, collections and changed settings are removed, and devices start over.
     * This token, its user and the admin stay. Fails with `reset_disabled` unless the server allows it.
     */
    reset: (options: CallOptions = {}) => call(connection, routes.system.reset, { body: {}, ...options }),

    /** Work outside of requests that is not done; `dead` ones failed as often as they may. */
    jobs: ({ signal, ...query }: JobList & CallOptions = {}) =>
      call(connection, routes.system.jobs, { query, ...(signal && { signal }) }),

    /** The address of the plugin backend; `adapter_url` is null where none is set. */
    readAppServer: (options: CallOptions = {}) => call(connection, routes.system.readAppServer, options),

    /** Sets the address of the plugin backend; null clears it. */
    writeAppServer: (url: string | null, options: CallOptions = {}) =>
      call(connection, routes.system.writeAppServer, { body: { adapter_url: url }, ...options }),

    stats: {
      /** The metric keys that match a pattern, sorted; `*` stands for any text. */
      names: async (pattern: string, options: CallOptions = {}) =>
        (await call(connection, routes.system.stats, { query: { names: pattern }, ...options })) as readonly string[],

      /** What a metric has, minute by minute: all of it, or from index `start` to index `finish` (negative: from the end). */
      read: async (metric: string, { signal, ...range }: StatsRange = {}) =>
        (await call(connection, routes.system.stats, {
          query: { metric, ...range },
          ...(signal && { signal }),
        })) as readonly (StatsBucket | StatsLevel)[],
    },

    /** One's own tokens; as an admin all, or those of a `login`. */
    tokens: ({ signal, ...query }: TokenList & CallOptions = {}) =>
      call(connection, routes.system.tokens, { query, ...(signal && { signal }) }),

    /** From then on the token opens nothing. `id` is one that `tokens` lists, never the token itself. */
    revokeToken: (id: string, options: CallOptions = {}) =>
      call(connection, routes.system.revokeToken, { parameters: { token_id: id }, ...options }),
  }) satisfies { [Name in keyof Routes['system']]: unknown }
