import { type SourceInfo, SyncError } from '@godwit/protocol'
import type { Source } from '@godwit/source'
import type { BackendEngine } from '../backend-engine.js'

/** Lists the names of the sources of one partition type, by priority, then name. */
export function listSources({ sources }: Pick<BackendEngine, 'sources'>, type: string): readonly string[] {
  if (type !== 'app' && type !== 'user' && type !== 'by') {
    throw new SyncError(
      'value_not_allowed',
      `expected the partition type app, user or by, got ${JSON.stringify(type)}.`,
    )
  }
  return sources
    .all()
    .filter(({ partition }) => partition === type)
    .map(({ name }) => name)
}

/** Returns a source's settings in the form of the API. */
export const sourceInfo = (source: Source): SourceInfo => ({
  name: source.name,
  poll_interval: source.pollInterval,
  partition_type: source.partition,
  ...(source.by && { by: source.by }),
  sync_type: source.syncType,
  queue: source.queue,
  query_queue: source.queryQueue,
  cud_queue: source.cudQueue,
  sync_priority: source.syncPriority,
  retry_limit: source.retryLimit,
  pass_through: source.passThrough,
  push_notify: source.pushNotify,
  belongs_to: Object.keys(source.belongsTo).length > 0 ? source.belongsTo : null,
})
