import type { SearchFor } from '../device/search.js'
import type { Attributes, ObjectId } from '../object-map.js'

/** The operation of a call to a plugin backend: the last segment of its path. */
export type BackendOperation = 'authenticate' | 'query' | 'get' | 'changes' | 'create' | 'update' | 'delete' | 'search'

/** Members of every call's body. The signature covers them. */
export interface BackendCall {
  readonly operation: BackendOperation
}

/** Checks a user's credentials. The backend responds with 2xx (`{}`, or `{attributes}` for a new user), 401 or 403. */
export interface BackendAuthenticate extends BackendCall {
  readonly operation: 'authenticate'
  readonly login: string
  readonly password: string
}

interface OnSource extends BackendCall {
  /** The name of the source. */
  readonly resource: string
  /** The login, or the computed name, of the partition; `*` for app sources. */
  readonly partition: string
  /** The login of the user for whom the call is made. */
  readonly user: string
  /** The attributes of that user, on a server that accepts tokens of an identity provider. Absent if there are none. */
  readonly claims?: Attributes
}

/** Requests all objects of the partition, as one object map or as lines of object maps (`application/x-ndjson`). */
export interface BackendQuery extends OnSource {
  readonly operation: 'query'
  /** Query parameters that the app passed to its sync. Absent if none. */
  readonly parameters?: { readonly [name: string]: string }
}

/** Requests the present state of some objects, as one object map. Ids that are missing in it are gone. */
export interface BackendGet extends OnSource {
  readonly operation: 'get'
  readonly ids: readonly ObjectId[]
}

/**
 * Requests what changed in the partition since a cursor, as lines (`application/x-ndjson`) of `{"objects": {…}, "removed": […], "cursor": "…"}`. With
 * status 410 the backend does not know the cursor, and the server starts over.
 */
export interface BackendChanges extends OnSource {
  readonly operation: 'changes'
  /** The cursor of the last line that was stored; null requests all objects. */
  readonly cursor: string | null
}

/** Requests the matching objects, as one object map. They are shown on the requesting device and not stored. */
export interface BackendSearch extends OnSource {
  readonly operation: 'search'
  /** Text, or named values. */
  readonly search: SearchFor
  /** The number of results that the device already has; the response starts after them. */
  readonly offset: number
  /** Further results are ignored. */
  readonly max_results: number
}

/** Creates an object. The backend responds with `{id, attributes?}` or the bare id; if empty, the temporary id remains. */
export interface BackendCreate extends OnSource {
  readonly operation: 'create'
  readonly idempotency_key: string
  readonly attributes: Attributes
}

/**
 * Updates an object: `attributes` contains the changed ones, null to remove one. The response is empty, or contains attributes that override them.
 */
export interface BackendUpdate extends OnSource {
  readonly operation: 'update'
  readonly idempotency_key: string
  readonly id: ObjectId
  readonly attributes: Attributes
}

/** Deletes an object. */
export interface BackendDelete extends OnSource {
  readonly operation: 'delete'
  readonly idempotency_key: string
  readonly id: ObjectId
}

/** Any request to an HTTP backend, discriminated by `operation`. */
export type AnyBackendCall =
  | BackendAuthenticate
  | BackendQuery
  | BackendGet
  | BackendChanges
  | BackendCreate
  | BackendUpdate
  | BackendDelete
  | BackendSearch
