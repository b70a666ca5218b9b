import type { PartitionState } from '../admin/partition.js'
import type { ReadState } from '../admin/read-state.js'
import { route } from '../route.js'

/** The schedule of source queries. */
export const readStateRoutes = {
  /** Schedules the next query of a source for a user; without a time, at the next pull. With poll_interval -1, the query runs once. */
  set: route<{ body: ReadState }>()({
    method: 'PUT',
    path: '/rc/v1/readstate/users/<user_id>/sources/<source_id>',
    roles: ['operator'],
    bodyOptional: true,
  }),
  /**
   * Queries the source for a user now, without waiting for a pull, and returns the state of the partition. If the source has a queue, its workers run
   * the query and `asked` may still be true; `error` reports a failed query.
   */
  refresh: route<{ answer: PartitionState }>()({
    method: 'POST',
    path: '/rc/v1/readstate/users/<user_id>/sources/<source_id>/refresh',
    roles: ['operator'],
  }),
} as const
