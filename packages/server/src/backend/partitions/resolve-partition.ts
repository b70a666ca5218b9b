import { isPartitionParameters, type PartitionParameters, SyncError } from '@godwit/protocol'
import type { Source } from '@godwit/source'
import type { CollectionId } from '@godwit/store'
import { byPartition, collectionOf } from '../sources/partition-of.js'
import { type AccessEngine, isAllowed, notAllowedError } from './access.js'

/** What a request of a user says about the partition that it is for. */
export interface PartitionRequest {
  /** The login. */
  readonly user: string
  /** Required for a source with `by`; not allowed for another one. */
  readonly parameters?: PartitionParameters | undefined
}

/**
 * Returns the collection that a request of a device is for. Throws `value_not_allowed` if parameters are missing, do not fit `by` or are not allowed,
 * and `partition_not_allowed` if the user may not see the partition.
 */
export async function resolvePartition(
  engine: AccessEngine,
  source: Source,
  { user, parameters }: PartitionRequest,
): Promise<CollectionId> {
  const collection = collectionOfRequest(source, { user, parameters })
  if (parameters !== undefined && !(await isAllowed(engine, source, { user, parameters })))
    throw notAllowedError(source.name, parameters)
  return collection
}

/** Returns the collection of a request without a check of access. Throws `value_not_allowed`. */
export function collectionOfRequest(source: Source, { user, parameters }: PartitionRequest): CollectionId {
  const { name, by } = source
  if (by === undefined) {
    if (parameters === undefined) return collectionOf(source, user)
    throw new SyncError('value_not_allowed', `expected no parameters for ${name}, a source without by, got some.`)
  }
  if (isPartitionParameters(parameters, by)) return { source: name, partition: byPartition(parameters) }
  throw new SyncError(
    'value_not_allowed',
    `expected parameters with a value for ${by.join(', ')}, which name a partition of ${name}, got ${JSON.stringify(parameters) ?? 'none'}.`,
  )
}
