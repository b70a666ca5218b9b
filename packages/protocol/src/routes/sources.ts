import type { SourceInfo, SourceUpdate } from '../admin/source.js'
import { route } from '../route.js'

/** The configured sources and their settings. */
export const sourcesRoutes = {
  list: route<{ answer: readonly string[] }>()({
    method: 'GET',
    path: '/rc/v1/sources/type/<partition_type>',
    roles: ['reader', 'plugin'],
  }),
  get: route<{ answer: SourceInfo }>()({
    method: 'GET',
    path: '/rc/v1/sources/<source_id>',
    roles: ['reader', 'plugin'],
  }),
  update: route<{ body: SourceUpdate }>()({ method: 'PUT', path: '/rc/v1/sources/<source_id>', roles: ['operator'] }),
} as const
