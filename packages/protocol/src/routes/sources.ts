import type { SourceInfo, SourceUpdate } from '../admin/source.js'
import { route } from '../route.js'

/** The configured sources and their settings. */
export const sourcesRoutes = {
  /** Every source with its present settings; by priority, then name. */
  all: route<{ answer: readonly SourceInfo[] }>()({
    method: 'GET',
    path: '/rc/v1/sources',
    roles: ['reader', 'plugin'],
  }),
  /** Names of the sources that have one copy for all users, or one for each; by priority, then name. */
  list: route<{ answer: readonly string[] }>()({
    method: 'GET',
    path: '/rc/v1/sources/type/<partition_type>',
    roles: ['reader', 'plugin'],
  }),
  /** A source with its present settings. */
  get: route<{ answer: SourceInfo }>()({
    method: 'GET',
    path: '/rc/v1/sources/<source_id>',
    roles: ['reader', 'plugin'],
  }),
  /** Changes settings of a source for all users; they count at once and outlive restarts. */
  update: route<{ body: SourceUpdate }>()({ method: 'PUT', path: '/rc/v1/sources/<source_id>', roles: ['operator'] }),
} as const
