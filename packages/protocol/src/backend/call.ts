import type { SearchFor } from '../device/search.js'
import type { Attributes, ObjectId } from '../object-map.js'

/** What a plugin backend is asked to do: the last part of the path. */
export type BackendOperation = 'authenticate' | 'query' | 'create' | 'update' | 'delete' | 'search'

/** Members of every call's body. They are signed with it. */
export interface BackendCall {
  readonly operation: BackendOperation
}

/** Answered with 2xx (`{}` or `{attributes}` for a user that is new), or 401 or 403. */
export interface BackendAuthenticate extends BackendCall {
  readonly operation: 'authenticate'
  readonly login: string
  readonly password: string
}

interface OnSource extends BackendCall {
  /** The name of the source. */
  readonly resource: string
  /** The login, or the shared name, whose objects are meant; `*` for app sources. */
  readonly partition: string
  /** The login of the user on whose behalf the call is made. */
  readonly user: string
}

/** Answered with every object of the partition: one object map, or lines of them (`application/x-ndjson`). */
export interface BackendQuery extends OnSource {
  readonly operation: 'query'
  /** What the app gave to its sync, by name. Absent: nothing. */
  readonly parameters?: { readonly [name: string]: string }
}

/** Answered with the objects that fit, as one object map. They are shown on the device that asked, and kept nowhere. */
export interface BackendSearch extends OnSource {
  readonly operation: 'search'
  /** A text, or named values. */
  readonly search: SearchFor
  /** How many results the device has seen; the answer begins after them. */
  readonly offset: number
  /** More are left out. */
  readonly max_results: number
}

/** Answered with `{id, attributes?}` or the bare id; nothing: the id of the device stays. */
export interface BackendCreate extends OnSource {
  readonly operation: 'create'
  readonly idempotency_key: string
  readonly attributes: Attributes
}

/** `attributes`: those that change, null for one that goes. Answered with nothing, or attributes to lay over them. */
export interface BackendUpdate extends OnSource {
  readonly operation: 'update'
  readonly idempotency_key: string
  readonly id: ObjectId
  readonly attributes: Attributes
}

/** Asks a backend to delete an object. */
export interface BackendDelete extends OnSource {
  readonly operation: 'delete'
  readonly idempotency_key: string
  readonly id: ObjectId
}

/** Every request that the server sends to an HTTP backend, told apart by `operation`. */
export type AnyBackendCall =
  | BackendAuthenticate
  | BackendQuery
  | BackendCreate
  | BackendUpdate
  | BackendDelete
  | BackendSearch
