import type { FastDelete } from '../plugin/fast-delete.js'
import type { FastInsert } from '../plugin/fast-insert.js'
import type { FastUpdate } from '../plugin/fast-update.js'
import type { PushDeletes } from '../plugin/push-deletes.js'
import type { PushObjects, WriteResult } from '../plugin/push-objects.js'
import { route } from '../route.js'

const bodyLimit = 32 * 1024 * 1024

/** What a backend calls when its data changes. */
export const pluginRoutes = {
  /** Merges attributes into objects that exist and creates the others. The next query of a source that has one replaces them: `replaced_at` says when. */
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
  /** Adds objects that the backend knows to be new. */
  fastInsert: route<{ body: FastInsert; answer: WriteResult }>()({
    method: 'POST',
    path: '/app/v1/<source_name>/fast_insert',
    roles: ['plugin'],
    bodyLimit,
  }),
  /** Removes the attributes named in `delete_data`, then merges `data`; devices see both or neither. */
  fastUpdate: route<{ body: FastUpdate; answer: WriteResult }>()({
    method: 'POST',
    path: '/app/v1/<source_name>/fast_update',
    roles: ['plugin'],
    bodyLimit,
  }),
  /** Removes the attributes named; an object whose last attribute goes is gone. */
  fastDelete: route<{ body: FastDelete; answer: WriteResult }>()({
    method: 'POST',
    path: '/app/v1/<source_name>/fast_delete',
    roles: ['plugin'],
    bodyLimit,
  }),
} as const
