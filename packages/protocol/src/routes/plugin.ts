import type { FastDelete } from '../plugin/fast-delete.js'
import type { FastInsert } from '../plugin/fast-insert.js'
import type { FastUpdate } from '../plugin/fast-update.js'
import type { PushDeletes } from '../plugin/push-deletes.js'
import type { PushObjects, Written } from '../plugin/push-objects.js'
import { route } from '../route.js'

const bodyLimit = 32 * 1024 * 1024

/** What a backend calls when its data changes. */
export const pluginRoutes = {
  pushObjects: route<{ body: PushObjects; answer: Written }>()({
    method: 'POST',
    path: '/app/v1/<source_name>/push_objects',
    roles: ['plugin'],
    bodyLimit,
  }),
  pushDeletes: route<{ body: PushDeletes; answer: Written }>()({
    method: 'POST',
    path: '/app/v1/<source_name>/push_deletes',
    roles: ['plugin'],
    bodyLimit,
  }),
  fastInsert: route<{ body: FastInsert; answer: Written }>()({
    method: 'POST',
    path: '/app/v1/<source_name>/fast_insert',
    roles: ['plugin'],
    bodyLimit,
  }),
  fastUpdate: route<{ body: FastUpdate; answer: Written }>()({
    method: 'POST',
    path: '/app/v1/<source_name>/fast_update',
    roles: ['plugin'],
    bodyLimit,
  }),
  fastDelete: route<{ body: FastDelete; answer: Written }>()({
    method: 'POST',
    path: '/app/v1/<source_name>/fast_delete',
    roles: ['plugin'],
    bodyLimit,
  }),
} as const
