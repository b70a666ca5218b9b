import { integer, list, nullable, object, oneOf, optional, type Schema, string } from '../schema.js'

/** Selects an object of a master document. */
export interface ObjectHistoryQuery {
  /** The id of the object. */
  readonly id: string
  /** The maximum number of versions. Default 100. */
  readonly limit?: number
}

/** The author of a change. */
export interface ChangeAuthor {
  /** `query`: a query of the source; `push`: an API user who pushed objects; `edit`: an API user who wrote the document; `device`: a mutation of a device. */
  readonly kind: 'query' | 'push' | 'edit' | 'device'
  /** The API user who pushed or wrote, or the user of the device. Null for a query. */
  readonly login: string | null
  /** The client id of the device. Null if no device made the change. */
  readonly client: string | null
}

/** One version of an object: a single change. */
export interface ObjectVersion {
  /** The document version that the change created. */
  readonly version: number
  /** `written`: created or changed, but which of them is not recorded. */
  readonly operation: 'created' | 'changed' | 'removed' | 'written'
  /** ISO 8601 UTC. Null if no longer recorded. */
  readonly changed_at: string | null
  /** The author of the change. Null if not recorded, or no longer recorded. */
  readonly by: ChangeAuthor | null
}

/** The versions of an object, each with its time and author. The content of past versions is not kept. */
export interface ObjectHistory {
  /** The id of the object. */
  readonly id: string
  /** `live`: the object exists; `gone`: it was removed; `never`: the server does not know it. */
  readonly state: 'live' | 'gone' | 'never'
  /** Versions, newest first, including the current one. */
  readonly versions: readonly ObjectVersion[]
  /**
   * Whether older versions exist. `none`: the last one listed is the first; `more`: request a higher `limit`; `forgotten`: the change log does not go
   * back further.
   */
  readonly earlier: 'none' | 'more' | 'forgotten'
}

export const objectHistoryQuerySchema: Schema<ObjectHistoryQuery> = object<ObjectHistoryQuery>({
  id: string({ minLength: 1 }),
  limit: optional(integer({ minimum: 1, maximum: 1000 })),
})

export const objectHistorySchema: Schema<ObjectHistory> = object<ObjectHistory>({
  id: string(),
  state: oneOf('live', 'gone', 'never'),
  versions: list(
    object<ObjectVersion>({
      version: integer({ minimum: 0 }),
      operation: oneOf('created', 'changed', 'removed', 'written'),
      changed_at: nullable(string()),
      by: nullable(
        object<ChangeAuthor>({
          kind: oneOf('query', 'push', 'edit', 'device'),
          login: nullable(string()),
          client: nullable(string()),
        }),
      ),
    }),
  ),
  earlier: oneOf('none', 'more', 'forgotten'),
})
