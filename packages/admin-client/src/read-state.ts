import { type Routes, routes } from '@godwit/protocol'
import { call } from './call.js'
import type { CallOptions, ServerConnection } from './connection.js'

/** Options of scheduling a query. */
export interface ReadStateOptions extends CallOptions {
  /** Seconds until the query. Default: at the next pull. */
  readonly refreshTime?: number
}

/** The schedule of source queries. The user `*` selects the shared partition of an app source. */
export const readStateOf = (connection: ServerConnection) =>
  ({
    set: (user: string, source: string, { refreshTime, ...options }: ReadStateOptions = {}) =>
      call(connection, routes.readState.set, {
        parameters: { user_id: user, source_id: source },
        body: refreshTime === undefined ? {} : { refresh_time: refreshTime },
        ...options,
      }),

    refresh: (user: string, source: string, options: CallOptions = {}) =>
      call(connection, routes.readState.refresh, {
        parameters: { user_id: user, source_id: source },
        ...options,
      }),
  }) satisfies { [Name in keyof Routes['readState']]: unknown }
