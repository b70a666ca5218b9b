import type { CollectionId } from '@godwit/store'
import type { Source } from './source.js'

/** Whose copy a user gets: `*` of an app source, else `user:<login>`, or `name:<name>` where the source computes a name. */
export function partitionOf(source: Pick<Source, 'partition' | 'methods'>, login: string): string {
  if (source.partition === 'app') return '*'
  const name = source.methods.partitionName?.(login)
  return name === undefined ? userPartition(login) : `name:${name}`
}

/** What is one user's alone. */
export const userPartition = (login: string): string => `user:${login}`

export const collectionOf = (source: Source, login: string): CollectionId => ({
  source: source.name,
  partition: partitionOf(source, login),
})

/** What the source itself calls the partition. */
export const partitionName = (partition: string): string => partition.replace(/^(user|name):/, '')
