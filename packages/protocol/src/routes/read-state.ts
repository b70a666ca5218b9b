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
} as const
