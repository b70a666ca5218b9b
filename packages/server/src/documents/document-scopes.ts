import type { CollectionId } from '@godwit/store'

/** Where the custom documents of a collection are kept. JSON keeps hostile names apart, whatever characters they have. */
export const documentScope = ({ source, partition }: CollectionId): string =>
  JSON.stringify(['source', source, partition])

/** Where the custom documents of a source for one client are kept. */
export const clientScope = (source: string, client: string): string => JSON.stringify(['client', source, client])

/** Where the documents of the server itself are kept. */
export const SERVER_SCOPE = JSON.stringify(['server'])
