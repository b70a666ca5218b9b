import type { Explain, Explanation } from '../admin/explain.js'
import { route } from '../route.js'

/** What operators ask when something is not as they expect. */
export const operationsRoutes = {
  explain: route<{ query: Explain; answer: Explanation }>()({
    method: 'GET',
    path: '/rc/v1/explain',
    roles: ['reader'],
  }),
} as const
