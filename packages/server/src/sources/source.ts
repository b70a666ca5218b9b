import type { Attributes, ObjectId, ObjectMap, SearchFor } from '@godwit/protocol'
import type { Log } from '../log.js'

/** What every method of a source is told. */
export interface SourceContext {
  /** The login on whose behalf it is called; `*` where the call is for all users of an app source. */
  readonly user: string
  /** `*` for app sources, else the user's login or the name that `partitionName` gave. */
  readonly partition: string
  /** Aborted when the time-out is over or the server stops. */
  readonly signal: AbortSignal
  readonly log: Log
  /** Keeps a blob for the partition and resolves to its SHA-256: an attribute with this value names it, and devices get it. One that no object names goes after a day. */
  putBlob(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<string>
}

/** A blob that a device sent for an attribute of one object. */
export interface SentBlob {
  readonly hash: string
  /** Bytes. */
  readonly size: number
  /** Temporary, where the object is about to be created. */
  readonly object: ObjectId
  readonly attribute: string
  /** The bytes, in order, never held whole. May be called again. */
  read(): AsyncIterable<Uint8Array>
}

/** What `query` of a source is called with. */
export interface QueryContext extends SourceContext {
  /** Hands over a part of the result early; may be called any number of times. Later parts win over earlier ones. */
  stash(objects: ObjectMap): void
  /** What the app gave to its sync, by name; empty where the query runs because it is due, and without those that `queryParameters` leaves out. They choose no partition: the result replaces the copy that all of it share. */
  readonly parameters: { readonly [name: string]: string }
}

export interface SearchContext extends SourceContext {
  /** How many results the device has seen: what the source gives begins after them. */
  readonly offset: number
  /** How many results are wanted; more are left out. */
  readonly limit: number
}

/** What `create`, `update` and `delete` of a source are called with. */
export interface WriteContext extends SourceContext {
  /** The same for every call of one mutation, and for no other: backends that remember it make calls repeatable. */
  readonly idempotencyKey: string
}

type Awaitable<T> = T | Promise<T>

/** All objects of the partition: an object map, or a stream of parts of it. */
export type QueryResult<A> =
  | Awaitable<{ readonly [id: ObjectId]: A } | undefined | void>
  | AsyncIterable<{ readonly [id: ObjectId]: A }>

/** The id of a created object, bare or with the attributes as the backend keeps them. Nothing: the temporary id stays. */
export type CreateAnswer<A> =
  | string
  | number
  | bigint
  | { readonly id?: string | number | bigint; readonly attributes?: A }
  | undefined
  | void

/** How concurrent changes of one attribute are decided. */
export type ConflictPolicy = 'client-wins' | 'server-wins' | 'reject'

/** The three sides of a conflict. `undefined`: the object does not exist on that side (`mine`: the device deletes it). */
export interface Conflict<A> {
  /** The object as the device saw it, as far as the mutation tells. */
  readonly base: Partial<A> | undefined
  /** As it is on the server. */
  readonly theirs: A | undefined
  /** As the device wants it. */
  readonly mine: Partial<A> | undefined
}

/** Settings of a source. */
export interface SourceSettings {
  readonly name: string
  /** `app`: one copy for all users. `user` (default): one per user, or per name from `partitionName`. */
  readonly partition: 'app' | 'user'
  /** Seconds between queries: 0 = at every pull, -1 = only when asked. Default 300. */
  readonly pollInterval: number
  /** Default `incremental`. */
  readonly syncType: 'incremental' | 'bulk_only'
  /** The queue whose workers run the methods, where no specific one is given; null: they run with the request. Default null. */
  readonly queue: string | null
  /** Of queries: pulls do not wait for them, but for the very first. */
  readonly queryQueue: string | null
  /** Of creates, updates and deletes: pushes answer `queued`. A `passThrough` source runs them with the push all the same. */
  readonly cudQueue: string | null
  /** Lower comes first. Default 1000. */
  readonly syncPriority: number
  /** How often a failed query is tried again, after pauses that together are not longer than `queryTimeout`. Default 0. */
  readonly retryLimit: number
  /** The backend does nothing twice for one idempotency key, so that calls may be repeated. Default false. */
  readonly idempotent: boolean
  /** Seconds after which a write surely shows in a query. Default 0. */
  readonly settle: number
  /** Default `client-wins`; `resolve` goes before it. */
  readonly conflict: ConflictPolicy
  /** A query that would remove more than this share of over 100 objects is refused. 1 = allow. Default 0.5. */
  readonly maxRemovedShare: number
  /** Keeps the content of its objects out of the store: ids, versions and digests alone. Pages ask the query for it, and conflicts are left to the backend. Default false. */
  readonly passThrough: boolean
  /** The plugin backend serves it. */
  readonly isRemote?: boolean
  /** What a backend pushes also pings the devices of those who see it. Default false. */
  readonly pushNotify: boolean
  /**
   * Which query parameters of an app reach `query`: all, none, or those of these names. With any, a sync queries at once. Default: all where the
   * partition is one user's alone; none where users share it, since each of them could then query it for all.
   */
  readonly queryParameters: boolean | readonly string[]
  /** Attribute → source whose object ids it holds. */
  readonly belongsTo: { readonly [attribute: string]: string }
  /** Seconds before a call of the backend is given up. Default 30; queries 600. */
  readonly timeout: number
  readonly queryTimeout: number
}

/** What an operator may change while the server runs. */
export type ChangeableSettings = Pick<
  SourceSettings,
  'pollInterval' | 'syncType' | 'queue' | 'queryQueue' | 'cudQueue' | 'syncPriority' | 'retryLimit' | 'pushNotify'
>

/** The code that talks to the backend. Without a method, what needs it is refused (`operation_not_supported`). */
export interface SourceMethods<A> {
  /** Everything in the partition; what it leaves out is removed. Without it only pushes bring objects. */
  query?(context: QueryContext): QueryResult<A>
  create?(attributes: A, context: WriteContext): Awaitable<CreateAnswer<A>>
  /** `changes`: the attributes that change; a removed one is `null`. What it returns is laid over them. */
  update?(
    id: ObjectId,
    changes: { [Name in keyof A]?: A[Name] | null },
    context: WriteContext,
  ): Awaitable<Partial<A> | undefined | void>
  delete?(id: ObjectId, context: WriteContext): Awaitable<void>
  /**
   * Gets each blob that a device sends, complete and checked, before the create or update that names it; what it throws counts as thrown by these. The hash of
   * another blob (from `context.putBlob`) replaces it in the mutation, for backends that change what devices send.
   */
  storeBlob?(blob: SentBlob, context: WriteContext): Awaitable<string | undefined | void>
  /** Objects that fit, of a backend that has more than devices can hold. They are shown on the device that asked, and enter no collection. */
  search?(search: SearchFor, context: SearchContext): Awaitable<{ readonly [id: ObjectId]: A } | undefined | void>
  /** Before query, search and writes of a user. Its failure refuses that user's mutations, and fails the query, with its message. */
  login?(context: SourceContext): Awaitable<void>
  /** Called after each call that a login opened, however it ended. It is not awaited, and its failure is logged. */
  logoff?(context: SourceContext): Awaitable<void>
  /** What devices should know about the source. */
  metadata?(context: SourceContext): Awaitable<{ readonly [name: string]: unknown }>
  schema?(context: SourceContext): Awaitable<{ readonly [name: string]: unknown }>
  /** Several users with the same name share one partition. Default: the login. */
  partitionName?(user: string): string
  /** Decides a conflict: the object as it shall be, or undefined to remove it. */
  resolve?(conflict: Conflict<A>): A | undefined
}

/** A source, complete. Made by `defineSource`. */
export interface Source<A = Attributes> extends SourceSettings {
  readonly methods: SourceMethods<A>
}
