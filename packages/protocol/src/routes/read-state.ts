import type { PartitionState } from '../admin/partition.js'
import type { ReadState } from '../admin/read-state.js'
import { route } from '../route.js'

/** When sources are queried next. */
export const readStateRoutes = {
  /** Says when the source is queried next for a user; without a time, at the next pull. At poll_interval -1 it runs once. */
  set: route<{ body: ReadState }>()({
    method: 'PUT',
    path: '/rc/v1/readstate/users/<user_id>/sources/<source_id>',
    roles: ['operator'],
    bodyOptional: true,
  }),
  /** Queries the source for a user now, without waiting for a pull, and answers how the copy stands then; where the source has a queue, its workers query, and `asked` may still be true. A query that fails is told by `error`. */
  refresh: route<{ answer: PartitionState }>()({
    method: 'POST',
    path: '/rc/v1/readstate/users/<user_id>/sources/<source_id>/refresh',
    roles: ['operator'],
  }),
} as const
