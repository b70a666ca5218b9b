import {
  type AuditList,
  type Explain,
  type MutationSettlement,
  type RefusalList,
  type Routes,
  routes,
  type UndecidedList,
} from '@godwit/protocol'
import { call } from './call.js'
import type { CallOptions, ServerConnection } from './connection.js'
import { watch } from './events.js'

/** What operators ask when something is not as they expect. */
export const operationsOf = (connection: ServerConnection) =>
  ({
    /** What happens on the server, as it happens: `admin.events()`. */
    events: watch(connection),

    /** Why an object is, or isn't, on the devices of a user or on one of them. */
    explain: (question: Explain, options: CallOptions = {}) =>
      call(connection, routes.operations.explain, { query: question, ...options }),

    /** Mutations of devices that have no outcome yet; by default those in doubt, whose backend never answered. */
    undecided: ({ signal, ...query }: UndecidedList & CallOptions = {}) =>
      call(connection, routes.operations.undecided, { query, ...(signal && { signal }) }),

    /** One of them as its device sent it (`attributes`, `was`), beside the object as it is now (`present`). */
    mutation: (id: string, options: CallOptions = {}) =>
      call(connection, routes.operations.mutation, { parameters: { mutation_id: id }, ...options }),

    /** Mutations that were not applied, newest first; `next` is `after` for the next page. */
    refusals: ({ signal, ...query }: RefusalList & CallOptions = {}) =>
      call(connection, routes.operations.refusals, { query, ...(signal && { signal }) }),

    /** One of them with what its device wanted. */
    refusal: (id: string, options: CallOptions = {}) =>
      call(connection, routes.operations.refusal, { parameters: { refusal_id: id }, ...options }),

    /** Who did what to the server, from the newest entry to the oldest; `before` a number come older ones. */
    audit: ({ signal, ...query }: AuditList & CallOptions = {}) =>
      call(connection, routes.operations.audit, { query, ...(signal && { signal }) }),

    /** Whether every entry is there as it was written. Keep `head` elsewhere, and compare it another time. */
    checkAudit: (options: CallOptions = {}) => call(connection, routes.operations.checkAudit, options),

    /** Calls the source of one in doubt again, with the same idempotency key, and answers what became of it: `queued` where that is not known in time. */
    retry: (id: string, options: CallOptions = {}) =>
      call(connection, routes.operations.retry, { parameters: { mutation_id: id }, ...options }),

    /** Settles one in doubt as done, without calling its source: with the real id of a create and what else the backend made of it. */
    settle: (id: string, found: MutationSettlement = {}, options: CallOptions = {}) =>
      call(connection, routes.operations.settle, { parameters: { mutation_id: id }, body: found, ...options }),

    /** Refuses one in doubt, with what depends on it; the device rolls it back. */
    discard: (id: string, options: CallOptions = {}) =>
      call(connection, routes.operations.discard, { parameters: { mutation_id: id }, ...options }),
  }) satisfies { [Name in keyof Routes['operations']]: unknown }
