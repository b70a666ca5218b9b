import { type Routes, routes, type SourceChange } from '@godwit/protocol'
import { call } from './call.js'
import type { CallOptions, ServerConnection } from './connection.js'

/** Options of a change of settings. */
export interface SourceUpdateOptions extends CallOptions {
  /** The login of an existing user. The settings nevertheless apply to all users, and no partition becomes due for a query. */
  readonly user?: string
}

/** The configured sources and their settings. */
export const sourcesOf = (connection: ServerConnection) =>
  ({
    /** Lists all sources with their settings, by priority. */
    all: (options: CallOptions = {}) => call(connection, routes.sources.all, options),

    /** Lists names of sources, by priority. */
    list: (type: 'app' | 'user', options: CallOptions = {}) =>
      call(connection, routes.sources.list, { parameters: { partition_type: type }, ...options }),

    get: (source: string, options: CallOptions = {}) =>
      call(connection, routes.sources.get, { parameters: { source_id: source }, ...options }),

    /** Lists the feeds that tell the server of changes, with what shows whether they are up to date. */
    feeds: (options: CallOptions = {}) => call(connection, routes.sources.feeds, options),

    /** Changes settings for all users. Changes apply at once and survive restarts. */
    update: (source: string, change: SourceChange, { user, ...options }: SourceUpdateOptions = {}) =>
      call(connection, routes.sources.update, {
        parameters: { source_id: source },
        body: { data: change, ...(user !== undefined && { user_name: user }) },
        ...options,
      }),

    /**
     * Accepts the removals that are held back in a user's partition, and queries the source at once. The user `*` selects the shared partition of an
     * app source.
     */
    acceptRemovals: (source: string, user = '*', options: CallOptions = {}) =>
      call(connection, routes.sources.acceptRemovals, {
        parameters: { user_id: user, source_id: source },
        ...options,
      }),
  }) satisfies { [Name in keyof Routes['sources']]: unknown }
