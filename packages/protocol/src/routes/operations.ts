import type { AuditCheck, AuditEntry, AuditList } from '../admin/audit.js'
import type { Explain, Explanation } from '../admin/explain.js'
import type { RefusalContent, RefusalList, RefusalPage } from '../admin/refusal.js'
import type { ServerEvent, ServerEventsQuery } from '../admin/server-event.js'
import type {
  MutationSettlement,
  RetryResult,
  SentMutation,
  UndecidedList,
  UndecidedMutation,
} from '../admin/undecided-mutation.js'
import { route } from '../route.js'

/** Diagnostics and decisions of operators. */
export const operationsRoutes = {
  /**
   * Streams events of all server processes as server-sent events, each with one `ServerEvent` as its data. Events may be lost; the lists are
   * complete.
   */
  events: route<{ query: ServerEventsQuery; answer: ServerEvent }>()({
    method: 'GET',
    path: '/rc/v1/events',
    roles: ['reader'],
  }),
  /** Explains why an object is, or is not, on the devices of a user or on one of them. */
  explain: route<{ query: Explain; answer: Explanation }>()({
    method: 'GET',
    path: '/rc/v1/explain',
    roles: ['reader'],
  }),
  /** Lists mutations of devices without an outcome, a page at a time. */
  undecided: route<{ query: UndecidedList; answer: readonly UndecidedMutation[] }>()({
    method: 'GET',
    path: '/rc/v1/mutations',
    roles: ['reader'],
  }),
  /** Returns an undecided mutation with its content and the current object. */
  mutation: route<{ answer: SentMutation }>()({
    method: 'GET',
    path: '/rc/v1/mutations/<mutation_id>',
    roles: ['reader'],
  }),
  /**
   * Lists mutations that were not applied, newest first: refused, in conflict, or discarded by an operator. Kept for 30 days, at most 200 for each
   * user.
   */
  refusals: route<{ query: RefusalList; answer: RefusalPage }>()({
    method: 'GET',
    path: '/rc/v1/refusals',
    roles: ['reader'],
  }),
  /** Returns a refused mutation with its content. */
  refusal: route<{ answer: RefusalContent }>()({
    method: 'GET',
    path: '/rc/v1/refusals/<refusal_id>',
    roles: ['reader'],
  }),
  /** Lists audit entries, newest first: actions with caller, time, address and result. */
  audit: route<{ query: AuditList; answer: readonly AuditEntry[] }>()({
    method: 'GET',
    path: '/rc/v1/audit',
    roles: ['admin'],
  }),
  /** Verifies that all audit entries are present and unchanged. Reads the whole log. */
  checkAudit: route<{ answer: AuditCheck }>()({ method: 'GET', path: '/rc/v1/audit/check', roles: ['admin'] }),
  /**
   * Repeats the call of a mutation in doubt with the same idempotency key, and returns its outcome. Refused while a call with this key is running, or
   * if it was applied, in another partition.
   */
  retry: route<{ answer: RetryResult }>()({
    method: 'POST',
    path: '/rc/v1/mutations/<mutation_id>/retry',
    roles: ['operator'],
  }),
  /**
   * Marks a mutation in doubt as applied, without a call, after an operator has seen its result in the backend. The device keeps the change, and the
   * partition becomes due for a query.
   */
  settle: route<{ body: MutationSettlement; answer: RetryResult }>()({
    method: 'POST',
    path: '/rc/v1/mutations/<mutation_id>/settle',
    roles: ['operator'],
    bodyOptional: true,
  }),
  /** Refuses a mutation in doubt and those that depend on it; the device rolls it back. */
  discard: route()({ method: 'POST', path: '/rc/v1/mutations/<mutation_id>/discard', roles: ['operator'] }),
} as const
