import { type Explain, type Routes, routes } from '@godwit/protocol'
import { call } from './call.js'
import type { CallOptions, Connection } from './connection.js'

/** What operators ask when something is not as they expect. */
export const operationsOf = (connection: Connection) =>
  ({
    /** Why an object is, or isn't, on the devices of a user or on one of them. */
    explain: (question: Explain, options: CallOptions = {}) =>
      call(connection, routes.operations.explain, { query: question, ...options }),
  }) satisfies { [Name in keyof Routes['operations']]: unknown }
