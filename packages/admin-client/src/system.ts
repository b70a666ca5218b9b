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

/** The range of buckets to read, by index: 0 is the first, -1 the last. */
export type StatsRange = Pick<StatsQuery, 'start' | 'finish'> & CallOptions

/** The server and its API users. */
export const systemOf = (connection: ServerConnection) =>
  ({
    /** Returns a new token with its expiry and role. `AdminClient.login` returns a client with it. */
    login: (credentials: AdminLogin, options: CallOptions = {}) =>
      call(connection, routes.system.login, { body: credentials, ...options }),

    /** Signs in a page of the server's origin: the response sets a cookie that serves as a token and that scripts cannot read. */
    signIn: (credentials: AdminLogin, options: CallOptions = {}) =>
      call(connection, routes.system.signIn, { body: credentials, ...options }),

    /** Returns the signed-in user, by cookie or token. */
    session: (options: CallOptions = {}) => call(connection, routes.system.session, options),

    /** Ends the session of the cookie, or revokes this token. */
    signOut: (options: CallOptions = {}) => call(connection, routes.system.signOut, options),

    /** Returns the state of the server: stored data, pending work and warnings. */
    state: (options: CallOptions = {}) => call(connection, routes.system.state, options),

    /** Returns the license terms and the number of devices. */
    license: (options: CallOptions = {}) => call(connection, routes.system.license, options),

    /**
     * Resets the server: removes users, clients, documents, collections and changed settings; devices start over. Keeps this token, its user and the
     * admin. Fails with `reset_disabled` unless the server allows resets.
     */
    reset: (options: CallOptions = {}) => call(connection, routes.system.reset, { body: {}, ...options }),

    /** Lists unfinished background jobs; for `dead` ones, all retries failed. */
    jobs: ({ signal, ...query }: JobList & CallOptions = {}) =>
      call(connection, routes.system.jobs, { query, ...(signal && { signal }) }),

    /** Returns the address of the plugin backend; `adapter_url` is null if none is set. */
    readAppServer: (options: CallOptions = {}) => call(connection, routes.system.readAppServer, options),

    /** Sets the address of the plugin backend; null clears it. */
    writeAppServer: (url: string | null, options: CallOptions = {}) =>
      call(connection, routes.system.writeAppServer, { body: { adapter_url: url }, ...options }),

    /** Returns the secret that the plugin backend shares with the server; null if the configuration has it. */
    readBackendSecret: (options: CallOptions = {}) => call(connection, routes.system.readBackendSecret, options),

    stats: {
      /** Lists the metric keys that match a pattern, sorted; `*` matches any text. */
      names: async (pattern: string, options: CallOptions = {}) =>
        (await call(connection, routes.system.stats, { query: { names: pattern }, ...options })) as readonly string[],

      /** Returns the buckets of a metric, one per minute: all, or from index `start` to `finish` (negative: from the end). */
      read: async (metric: string, { signal, ...range }: StatsRange = {}) =>
        (await call(connection, routes.system.stats, {
          query: { metric, ...range },
          ...(signal && { signal }),
        })) as readonly (StatsBucket | StatsLevel)[],
    },

    /** Lists the caller's tokens; for an admin all, or those of a `login`. */
    tokens: ({ signal, ...query }: TokenList & CallOptions = {}) =>
      call(connection, routes.system.tokens, { query, ...(signal && { signal }) }),

    /** Revokes a token. `id` is one that `tokens` lists, not the token itself. */
    revokeToken: (id: string, options: CallOptions = {}) =>
      call(connection, routes.system.revokeToken, { parameters: { token_id: id }, ...options }),
  }) satisfies { [Name in keyof Routes['system']]: unknown }
