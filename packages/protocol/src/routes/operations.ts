import type { Explain, Explanation } from '../admin/explain.js'
import type { Undecided, UndecidedList } from '../admin/undecided.js'
import { route } from '../route.js'

/** What operators ask when something is not as they expect. */
export const operationsRoutes = {
  /** Why an object is, or isn't, on the devices of a user or on one of them. */
  explain: route<{ query: Explain; answer: Explanation }>()({
    method: 'GET',
    path: '/rc/v1/explain',
    roles: ['reader'],
  }),
  /** Mutations of devices that have no outcome yet, a page at a time. */
  undecided: route<{ query: UndecidedList; answer: readonly Undecided[] }>()({
    method: 'GET',
    path: '/rc/v1/mutations',
    roles: ['reader'],
  }),
  /** Calls the source of a mutation in doubt again, with the same idempotency key. */
  retry: route()({ method: 'POST', path: '/rc/v1/mutations/<mutation_id>/retry', roles: ['operator'] }),
  /** Refuses a mutation in doubt, with what depends on it; the device rolls it back. */
  discard: route()({ method: 'POST', path: '/rc/v1/mutations/<mutation_id>/discard', roles: ['operator'] }),
} as const
