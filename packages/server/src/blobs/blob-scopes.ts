import type { CollectionId } from '@godwit/store'

const KIND = 'source'
const BULK = 'bulk'

/** Where the blobs of a collection are kept. JSON keeps hostile names apart, whatever characters they have. */
export const blobScope = ({ source, partition }: CollectionId): string => JSON.stringify([KIND, source, partition])

/** Where the bulk files of some collections are kept. */
export const bulkScope = (key: string): string => JSON.stringify([BULK, key])

/** The collection whose blobs a scope keeps. Undefined: it keeps something else. */
export function collectionOfScope(scope: string): CollectionId | undefined {
  const [kind, source, partition] = JSON.parse(scope) as readonly string[]
  return kind === KIND && source !== undefined && partition !== undefined ? { source, partition } : undefined
}

/** The key of the bulk files that a scope keeps. */
export function bulkOfScope(scope: string): string | undefined {
  const [kind, key] = JSON.parse(scope) as readonly string[]
  return kind === BULK ? key : undefined
}
