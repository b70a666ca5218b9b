import type { CollectionId } from '@godwit/store'

/** Returns the scope of a collection's custom documents. JSON keeps names distinct, whatever characters they contain. */
export const documentScope = ({ source, partition }: CollectionId): string =>
  JSON.stringify(['source', source, partition])

/** Returns the scope of the custom documents of a source for one client. */
export const clientScope = (source: string, client: string): string => JSON.stringify(['client', source, client])

/** The scope of the server's own documents. */
export const SERVER_SCOPE = JSON.stringify(['server'])
