import type { FastDelete } from '../plugin/fast-delete.js'
import type { FastInsert } from '../plugin/fast-insert.js'
import type { FastUpdate } from '../plugin/fast-update.js'
import type { PushDeletes } from '../plugin/push-deletes.js'
import type { PushObjects, WriteResult } from '../plugin/push-objects.js'
import { route } from '../route.js'

const bodyLimit = 32 * 1024 * 1024

/** Writes of a backend when its data changes. */
export const pluginRoutes = {
  /**
   * Merges attributes into existing objects and creates the others. If the source has a query, the next one replaces the result; see `replaced_at`.
   */
  pushObjects: route<{ body: PushObjects; answer: WriteResult }>()({
    method: 'POST',
    path: '/app/v1/<source_name>/push_objects',
    roles: ['plugin'],
    bodyLimit,
  }),
  /** Removes objects. */
  pushDeletes: route<{ body: PushDeletes; answer: WriteResult }>()({
    method: 'POST',
    path: '/app/v1/<source_name>/push_deletes',
    roles: ['plugin'],
    bodyLimit,
  }),
  /** Adds objects that are new in the backend. */
  fastInsert: route<{ body: FastInsert; answer: WriteResult }>()({
    method: 'POST',
    path: '/app/v1/<source_name>/fast_insert',
    roles: ['plugin'],
    bodyLimit,
  }),
  /** Removes the attributes named in `delete_data`, then merges `data`, in one transaction. */
  fastUpdate: route<{ body: FastUpdate; answer: WriteResult }>()({
    method: 'POST',
    path: '/app/v1/<source_name>/fast_update',
    roles: ['plugin'],
    bodyLimit,
  }),
  /** Removes the named attributes; an object without attributes left is removed. */
  fastDelete: route<{ body: FastDelete; answer: WriteResult }>()({
    method: 'POST',
    path: '/app/v1/<source_name>/fast_delete',
    roles: ['plugin'],
    bodyLimit,
  }),
} as const
