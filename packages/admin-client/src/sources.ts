import { type Routes, routes, type SourceChange } from '@godwit/protocol'
import { call } from './call.js'
import type { CallOptions, ServerConnection } from './connection.js'

/** Restricts a change of a source to one user. */
export interface SourceUpdateOptions extends CallOptions {
  /** The login of a user; an unknown one is refused. No partition becomes due. */
  readonly user?: string
}

/** The configured sources and their settings. */
export const sourcesOf = (connection: ServerConnection) =>
  ({
    /** Every source with its settings, by priority. */
    all: (options: CallOptions = {}) => call(connection, routes.sources.all, options),

    /** Names, by priority. */
    list: (type: 'app' | 'user', options: CallOptions = {}) =>
      call(connection, routes.sources.list, { parameters: { partition_type: type }, ...options }),

    get: (source: string, options: CallOptions = {}) =>
      call(connection, routes.sources.get, { parameters: { source_id: source }, ...options }),

    /** Takes effect at once, for all users, and outlives restarts. */
    update: (source: string, change: SourceChange, { user, ...options }: SourceUpdateOptions = {}) =>
      call(connection, routes.sources.update, {
        parameters: { source_id: source },
        body: { data: change, ...(user !== undefined && { user_name: user }) },
        ...options,
      }),
  }) satisfies { [Name in keyof Routes['sources']]: unknown }
