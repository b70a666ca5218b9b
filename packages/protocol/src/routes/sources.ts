import type { FeedInfo } from '../admin/feed.js'
import type { PartitionState } from '../admin/partition.js'
import type { SourceInfo, SourceUpdate } from '../admin/source.js'
import { route } from '../route.js'

/** The configured sources and their settings. */
export const sourcesRoutes = {
  /** Lists all sources with their current settings, by priority, then name. */
  all: route<{ answer: readonly SourceInfo[] }>()({
    method: 'GET',
    path: '/rc/v1/sources',
    roles: ['reader', 'plugin'],
  }),
  /** Lists names of the sources with one partition for all users, or with one for each user, by priority, then name. */
  list: route<{ answer: readonly string[] }>()({
    method: 'GET',
    path: '/rc/v1/sources/type/<partition_type>',
    roles: ['reader', 'plugin'],
  }),
  /** Returns a source with its current settings. */
  get: route<{ answer: SourceInfo }>()({
    method: 'GET',
    path: '/rc/v1/sources/<source_id>',
    roles: ['reader', 'plugin'],
  }),
  /** Lists the feeds that tell the server of changes, with what shows whether they are up to date. */
  feeds: route<{ answer: readonly FeedInfo[] }>()({ method: 'GET', path: '/rc/v1/feeds', roles: ['reader'] }),
  /** Changes settings of a source for all users. Changes apply at once and survive restarts. */
  update: route<{ body: SourceUpdate }>()({ method: 'PUT', path: '/rc/v1/sources/<source_id>', roles: ['operator'] }),
  /**
   * Queries the source at once, and applies the removals that are held back in a user's partition (`*`: the shared partition of an app source) if the
   * query would still remove nearly the same objects. Returns the state of the partition; if none are held back, without a query.
   */
  acceptRemovals: route<{ answer: PartitionState }>()({
    method: 'POST',
    path: '/rc/v1/users/<user_id>/sources/<source_id>/accept_removals',
    roles: ['operator'],
  }),
} as const
