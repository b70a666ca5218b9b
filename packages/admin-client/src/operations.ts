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

/** Diagnostics and decisions of operators. */
export const operationsOf = (connection: ServerConnection) =>
  ({
    /** Iterates over server events as they happen; see `admin.events()`. */
    events: watch(connection),

    /** Explains why an object is, or is not, on the devices of a user or on one of them. */
    explain: (question: Explain, options: CallOptions = {}) =>
      call(connection, routes.operations.explain, { query: question, ...options }),

    /** Lists mutations of devices without an outcome. Default: those in doubt, whose backend never responded. */
    undecided: ({ signal, ...query }: UndecidedList & CallOptions = {}) =>
      call(connection, routes.operations.undecided, { query, ...(signal && { signal }) }),

    /** Returns an undecided mutation with its content (`attributes`, `was`) and the current object (`present`). */
    mutation: (id: string, options: CallOptions = {}) =>
      call(connection, routes.operations.mutation, { parameters: { mutation_id: id }, ...options }),

    /** Lists mutations that were not applied, newest first. Pass `next` as `after` for the next page. */
    refusals: ({ signal, ...query }: RefusalList & CallOptions = {}) =>
      call(connection, routes.operations.refusals, { query, ...(signal && { signal }) }),

    /** Returns a refused mutation with its content. */
    refusal: (id: string, options: CallOptions = {}) =>
      call(connection, routes.operations.refusal, { parameters: { refusal_id: id }, ...options }),

    /** Lists audit entries, newest first; `before` returns entries with lower numbers. */
    audit: ({ signal, ...query }: AuditList & CallOptions = {}) =>
      call(connection, routes.operations.audit, { query, ...(signal && { signal }) }),

    /** Verifies that all audit entries are present and unchanged. Store `head` elsewhere to compare it later. */
    checkAudit: (options: CallOptions = {}) => call(connection, routes.operations.checkAudit, options),

    /** Repeats the call of a mutation in doubt with the same idempotency key, and returns its outcome: `queued` if it is not known in time. */
    retry: (id: string, options: CallOptions = {}) =>
      call(connection, routes.operations.retry, { parameters: { mutation_id: id }, ...options }),

    /** Marks a mutation in doubt as applied, without a call; `found` is the id and the attributes that the backend assigned. */
    settle: (id: string, found: MutationSettlement = {}, options: CallOptions = {}) =>
      call(connection, routes.operations.settle, { parameters: { mutation_id: id }, body: found, ...options }),

    /** Refuses a mutation in doubt and those that depend on it; the device rolls it back. */
    discard: (id: string, options: CallOptions = {}) =>
      call(connection, routes.operations.discard, { parameters: { mutation_id: id }, ...options }),
  }) satisfies { [Name in keyof Routes['operations']]: unknown }
