import { HALF_PAIR, SyncError } from '@godwit/protocol'
import type { Source } from '@godwit/source'
import type { CollectionId } from '@godwit/store'

type PartitionedSource = Pick<Source, 'name' | 'partition' | 'methods'>

/**
 * Returns the partition of a user: `*` for an app source, else `name:<name>` if the source computes a name, or `user:<login>`. Throws
 * `backend_failed` if `partitionName` fails.
 */
export function partitionOf(source: PartitionedSource, login: string): string {
  if (source.partition === 'app') return '*'
  const name = computeName(source, login)
  return name === undefined ? userPartition(login) : `name:${name}`
}

/** Accepts only text: values such as promises would all become one name, and users would share a partition. */
function computeName({ name: source, methods }: PartitionedSource, login: string): string | undefined {
  const partitionNameError = (why: string, cause?: unknown): SyncError => {
    const message = `expected partitionName of ${source} to return text or undefined at once, got: ${why}.`
    return new SyncError('backend_failed', message, { cause })
  }
  let name: unknown
  try {
    name = methods.partitionName?.(login)
  } catch (error) {
    throw partitionNameError('it threw an error, which the log has', error)
  }
  if (typeof name === 'string' && !name.isWellFormed()) throw partitionNameError(`it has ${HALF_PAIR}`)
  if (name === undefined || typeof name === 'string') return name
  if (name instanceof Promise) name.catch(() => {})
  throw partitionNameError(
    `it returned ${name instanceof Promise ? 'a promise' : name === null ? 'null' : typeof name}`,
  )
}

/** Returns the partition of a single user. */
export const userPartition = (login: string): string => `user:${login}`

/** Returns the collection of a source that a user's devices pull from and push to. */
export const collectionOf = (source: Source, login: string): CollectionId => ({
  source: source.name,
  partition: partitionOf(source, login),
})

/** Returns the collection, or undefined if `partitionName` fails, in which case the user has no data there. */
export function findCollection(source: Source, login: string): CollectionId | undefined {
  try {
    return collectionOf(source, login)
  } catch {
    return undefined
  }
}

/** Returns the partition's name as the source knows it. */
export const partitionName = (partition: string): string => partition.replace(/^(user|name):/, '')
