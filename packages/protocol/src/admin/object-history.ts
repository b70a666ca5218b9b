import { integer, list, nullable, object, oneOf, optional, type Schema, string } from '../schema.js'

/** Of which object of a master document. */
export interface ObjectHistoryQuery {
  /** Of the object. */
  readonly id: string
  /** Versions. Default 100. */
  readonly limit?: number
}

/** Who made a change. */
export interface ChangeAuthor {
  /** `query`: a query of the source; `push`: an API user who pushed objects; `edit`: an API user who wrote the document; `device`: a mutation of a device. */
  readonly kind: 'query' | 'push' | 'edit' | 'device'
  /** The API user who pushed or wrote, or the user of the device. Null: a query. */
  readonly login: string | null
  /** The device. Null: it was none. */
  readonly client: string | null
}

/** A version of an object: one change of it. */
export interface ObjectVersion {
  /** The version of the document that the change made. */
  readonly version: number
  /** `written`: created or changed; it is not known which. */
  readonly operation: 'created' | 'changed' | 'removed' | 'written'
  /** ISO 8601 UTC. Null: not known any more. */
  readonly changed_at: string | null
  /** Null: not known, or not known any more. */
  readonly by: ChangeAuthor | null
}

/** The versions of an object, with when and by whom each was made. What the object contained in them is not kept. */
export interface ObjectHistory {
  /** Of the object. */
  readonly id: string
  /** `live`: it is there; `gone`: it was removed; `never`: the server does not know it. */
  readonly state: 'live' | 'gone' | 'never'
  /** Newest first, the present one included. */
  readonly versions: readonly ObjectVersion[]
  /** Whether there were versions before the last one listed. `none`: it was the first; `more`: ask with a higher `limit`; `forgotten`: the change log of the document does not go back further. */
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
