import type { Explain, Explanation } from '../admin/explain.js'
import type { Undecided, UndecidedList } from '../admin/undecided.js'
import { route } from '../route.js'

/** What operators ask when something is not as they expect. */
export const operationsRoutes = {
  explain: route<{ query: Explain; answer: Explanation }>()({
    method: 'GET',
    path: '/rc/v1/explain',
    roles: ['reader'],
  }),
  undecided: route<{ query: UndecidedList; answer: readonly Undecided[] }>()({
    method: 'GET',
    path: '/rc/v1/mutations',
    roles: ['reader'],
  }),
  retry: route()({ method: 'POST', path: '/rc/v1/mutations/<mutation_id>/retry', roles: ['operator'] }),
  discard: route()({ method: 'POST', path: '/rc/v1/mutations/<mutation_id>/discard', roles: ['operator'] }),
} as const
