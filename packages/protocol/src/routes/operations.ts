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

/** What operators ask when something is not as they expect. */
export const operationsRoutes = {
  /** A stream of what happens on the server, in all of its processes: server-sent events, each with one `ServerEvent` as its data. Hints for people and programs that watch: what must not be missed stands in the lists. */
  events: route<{ query: ServerEventsQuery; answer: ServerEvent }>()({
    method: 'GET',
    path: '/rc/v1/events',
    roles: ['reader'],
  }),
  /** Why an object is, or isn't, on the devices of a user or on one of them. */
  explain: route<{ query: Explain; answer: Explanation }>()({
    method: 'GET',
    path: '/rc/v1/explain',
    roles: ['reader'],
  }),
  /** Mutations of devices that have no outcome yet, a page at a time. */
  undecided: route<{ query: UndecidedList; answer: readonly UndecidedMutation[] }>()({
    method: 'GET',
    path: '/rc/v1/mutations',
    roles: ['reader'],
  }),
  /** One of them as its device sent it, beside the object as it is now. */
  mutation: route<{ answer: SentMutation }>()({
    method: 'GET',
    path: '/rc/v1/mutations/<mutation_id>',
    roles: ['reader'],
  }),
  /** Mutations that were not applied, newest first: what a backend refused, conflicts, and what an operator discarded. A record of 30 days, the last 200 of each user. */
  refusals: route<{ query: RefusalList; answer: RefusalPage }>()({
    method: 'GET',
    path: '/rc/v1/refusals',
    roles: ['reader'],
  }),
  /** One of them with what its device wanted. */
  refusal: route<{ answer: RefusalContent }>()({
    method: 'GET',
    path: '/rc/v1/refusals/<refusal_id>',
    roles: ['reader'],
  }),
  /** Who did what to the server, when and from where, and how it went: the newest entries, or those before a number. */
  audit: route<{ query: AuditList; answer: readonly AuditEntry[] }>()({
    method: 'GET',
    path: '/rc/v1/audit',
    roles: ['admin'],
  }),
  /** Whether every entry of the audit is there as it was written. It reads all of them. */
  checkAudit: route<{ answer: AuditCheck }>()({ method: 'GET', path: '/rc/v1/audit/check', roles: ['admin'] }),
  /** Calls the source of a mutation in doubt again, with the same idempotency key, and answers what became of it. Refused while the same key is called, or was applied, in another partition. */
  retry: route<{ answer: RetryResult }>()({
    method: 'POST',
    path: '/rc/v1/mutations/<mutation_id>/retry',
    roles: ['operator'],
  }),
  /**
   * Settles a mutation in doubt as done, without calling its source: an operator saw in the backend what came of it. Its device keeps the change, and the
   * partition is due for a query.
   */
  settle: route<{ body: MutationSettlement; answer: RetryResult }>()({
    method: 'POST',
    path: '/rc/v1/mutations/<mutation_id>/settle',
    roles: ['operator'],
    bodyOptional: true,
  }),
  /** Refuses a mutation in doubt, with what depends on it; the device rolls it back. */
  discard: route()({ method: 'POST', path: '/rc/v1/mutations/<mutation_id>/discard', roles: ['operator'] }),
} as const
