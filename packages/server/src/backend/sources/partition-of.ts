import { HALF_PAIR, type PartitionParameters, parametersName, SyncError } from '@godwit/protocol'
import type { Source } from '@godwit/source'
import type { CollectionId } from '@godwit/store'

type PartitionedSource = Pick<Source, 'name' | 'partition' | 'methods' | 'by'>

/**
 * Returns the partition of a user: `*` for an app source, else `name:<name>` if the source computes a name, or `user:<login>`. Throws
 * `backend_failed` if `partitionName` fails, and `value_not_allowed` for a source with `by`, whose partitions have no user.
 */
export function partitionOf(source: PartitionedSource, login: string): string {
  if (source.partition === 'app') return '*'
  if (source.by !== undefined) throw partitionNeeded(source.name, source.by)
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

const partitionNeeded = (name: string, by: readonly string[]): SyncError =>
  new SyncError(
    'value_not_allowed',
    `expected parameters with a value for ${by.join(', ')}, which name a partition of ${name}, got none.`,
  )

const BY = 'by:'

/** Returns the partition of a source with `by` that these parameters name. */
export const byPartition = (parameters: PartitionParameters): string => BY + parametersName(parameters)

/** Returns the parameters of a partition of a source with `by`; undefined for any other partition. */
export const parametersOfPartition = (partition: string): PartitionParameters | undefined =>
  partition.startsWith(BY) ? (JSON.parse(partition.slice(BY.length)) as PartitionParameters) : undefined

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
export const partitionName = (partition: string): string => partition.replace(/^(user|name|by):/, '')
