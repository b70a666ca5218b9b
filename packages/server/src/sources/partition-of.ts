import { HALF_PAIR, SyncError } from '@godwit/protocol'
import type { CollectionId } from '@godwit/store'
import type { Source } from './source.js'

type PartitionedSource = Pick<Source, 'name' | 'partition' | 'methods'>

/** Whose copy a user gets: `*` of an app source, else `user:<login>`, or `name:<name>` where the source computes a name. Throws `backend_failed` where it cannot. */
export function partitionOf(source: PartitionedSource, login: string): string {
  if (source.partition === 'app') return '*'
  const name = computeName(source, login)
  return name === undefined ? userPartition(login) : `name:${name}`
}

/** Nothing but text: users would share what only looks like one name, as promises do. */
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

/** What is one user's alone. */
export const userPartition = (login: string): string => `user:${login}`

/** The collection of a source that a user's devices pull from and push to. */
export const collectionOf = (source: Source, login: string): CollectionId => ({
  source: source.name,
  partition: partitionOf(source, login),
})

/** The same, but undefined where the source can name no partition of this user: nothing of theirs is there. */
export function findCollection(source: Source, login: string): CollectionId | undefined {
  try {
    return collectionOf(source, login)
  } catch {
    return undefined
  }
}

/** What the source itself calls the partition. */
export const partitionName = (partition: string): string => partition.replace(/^(user|name):/, '')
