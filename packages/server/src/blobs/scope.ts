import type { CollectionId } from '@godwit/store'

const KIND = 'source'

/** Where the blobs of a collection are kept. JSON keeps hostile names apart, whatever characters they have. */
export const blobScope = ({ source, partition }: CollectionId): string => JSON.stringify([KIND, source, partition])

/** The collection whose blobs a scope keeps. Undefined: it keeps something else. */
export function collectionOfScope(scope: string): CollectionId | undefined {
  const [kind, source, partition] = JSON.parse(scope) as readonly string[]
  return kind === KIND && source !== undefined && partition !== undefined ? { source, partition } : undefined
}
