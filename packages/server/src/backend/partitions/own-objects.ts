import { type ObjectMap, parametersOf } from '@godwit/protocol'
import type { Source } from '@godwit/source'
import type { CollectionId } from '@godwit/store'
import type { BaseEngine } from '../../base/base-engine.js'
import { byPartition } from '../sources/partition-of.js'

/**
 * Returns what a source delivered for a partition, without objects whose attributes name another partition, or none: they are not in this one, so they
 * are dropped, and the log has a warning. All objects for a source without `by`.
 */
export function ownObjects(
  { log }: Pick<BaseEngine, 'log'>,
  { source: { name, by }, collection: { partition } }: { readonly source: Source; readonly collection: CollectionId },
  objects: ObjectMap,
): ObjectMap {
  if (by === undefined) return objects
  const all = Object.entries(objects)
  const own = all.filter(([, attributes]) => {
    const parameters = parametersOf(by, attributes)
    return parameters !== undefined && byPartition(parameters) === partition
  })
  if (own.length === all.length) return objects
  const kept = Object.fromEntries(own)
  const dropped = Object.keys(objects).filter(id => !Object.hasOwn(kept, id))
  log.warn(
    { source: name, partition, dropped: dropped.length, object: dropped[0] },
    `a source delivered objects for a partition that their attributes do not name: expected ${by.join(', ')} to name it`,
  )
  return kept
}
