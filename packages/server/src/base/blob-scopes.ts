import type { CollectionId } from '@godwit/store'

const KIND = 'source'
const BULK = 'bulk'

/** Returns the blob scope of a collection. JSON keeps names distinct, whatever characters they contain. */
export const blobScope = ({ source, partition }: CollectionId): string => JSON.stringify([KIND, source, partition])

/** Returns the blob scope of the bulk files under a key. */
export const bulkScope = (key: string): string => JSON.stringify([BULK, key])

/** Returns the collection of a blob scope; undefined if the scope is of another kind. */
export function collectionOfScope(scope: string): CollectionId | undefined {
  const [kind, source, partition] = JSON.parse(scope) as readonly string[]
  return kind === KIND && source !== undefined && partition !== undefined ? { source, partition } : undefined
}

/** Returns the bulk key of a blob scope; undefined if the scope is of another kind. */
export function bulkOfScope(scope: string): string | undefined {
  const [kind, key] = JSON.parse(scope) as readonly string[]
  return kind === BULK ? key : undefined
}
