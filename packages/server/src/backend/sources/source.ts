import type { Attributes, ObjectId, ObjectMap, SearchFor } from '@godwit/protocol'
import type { Log } from '../../base/log.js'

/** The context of every call of a source's method. */
export interface SourceContext {
  /** The login of the user that the call is for; `*` for all users of an app source. */
  readonly user: string
  /** `*` for app sources, else the user's login or the name from `partitionName`. */
  readonly partition: string
  /** Aborted at the time-out, or when the server stops. */
  readonly signal: AbortSignal
  readonly log: Log
  /**
   * Stores a blob for the partition and resolves to its SHA-256; an attribute with this value names the blob for devices. A blob that no object names
   * is removed after a day.
   */
  putBlob(content: Uint8Array | AsyncIterable<Uint8Array>): Promise<string>
}

/** A blob that a device sent for an attribute of one object. */
export interface SentBlob {
  readonly hash: string
  /** Bytes. */
  readonly size: number
  /** Temporary if the object is about to be created. */
  readonly object: ObjectId
  readonly attribute: string
  /** Reads the bytes in order, without holding all of them in memory. May be called again. */
  read(): AsyncIterable<Uint8Array>
}

/** The context of `query`. */
export interface QueryContext extends SourceContext {
  /** Adds a part of the result early; may be called any number of times. Later parts override earlier ones. */
  stash(objects: ObjectMap): void
  /**
   * The query parameters that the app passed to its sync, as far as `queryParameters` allows; empty if the query runs because it is due. They do not
   * select a partition: the result replaces the copy that all of its users share.
   */
  readonly parameters: { readonly [name: string]: string }
}

export interface SearchContext extends SourceContext {
  /** The number of results that the device has already; the source's results begin after them. */
  readonly offset: number
  /** The number of results wanted; further ones are dropped. */
  readonly limit: number
}

/** The context of `create`, `update` and `delete`. */
export interface WriteContext extends SourceContext {
  /** The same for every call of one mutation and unique to it: a backend that stores it can ignore repeated calls. */
  readonly idempotencyKey: string
}

type Awaitable<T> = T | Promise<T>

/** All objects of the partition, as an object map or a stream of partial ones. */
export type QueryResult<A> =
  | Awaitable<{ readonly [id: ObjectId]: A } | undefined | void>
  | AsyncIterable<{ readonly [id: ObjectId]: A }>

/** The id of a created object, alone or with the attributes as the backend stores them. Undefined: the object keeps its temporary id. */
export type CreateAnswer<A> =
  | string
  | number
  | bigint
  | { readonly id?: string | number | bigint; readonly attributes?: A }
  | undefined
  | void

/** The policy for concurrent changes of one attribute. */
export type ConflictPolicy = 'client-wins' | 'server-wins' | 'reject'

/** The three versions of an object in a conflict. `undefined`: the object does not exist in that version (`mine`: the device deletes it). */
export interface Conflict<A> {
  /** The object as the device saw it, without the attributes in `unknown`; of a removed object, only what the mutation contains. */
  readonly base: Partial<A> | undefined
  /** Attributes that the device changed and whose former value is not known: it was large (over 256 characters of JSON) and changed on the server. */
  readonly unknown: readonly (keyof A & string)[]
  /** The object on the server. */
  readonly theirs: A | undefined
  /** The object with the changes of the device. */
  readonly mine: Partial<A> | undefined
}

/** Settings of a source. */
export interface SourceSettings {
  readonly name: string
  /** `app`: one copy for all users. `user` (default): one per user, or per name from `partitionName`. */
  readonly partition: 'app' | 'user'
  /** Seconds between queries: 0 = at every pull, -1 = only on request. Default 300. */
  readonly pollInterval: number
  /** Default `incremental`. */
  readonly syncType: 'incremental' | 'bulk_only'
  /** The queue whose workers run the methods, unless a specific queue is set; null: they run within the request. Default null. */
  readonly queue: string | null
  /** The queue of queries: pulls do not wait for them, except for the first. */
  readonly queryQueue: string | null
  /** The queue of creates, updates and deletes: pushes return `queued`. Ignored by a `passThrough` source. */
  readonly cudQueue: string | null
  /** Lower values sync first. Default 1000. */
  readonly syncPriority: number
  /** The number of retries of a failed query; the pauses together last at most `queryTimeout`. Default 0. */
  readonly retryLimit: number
  /** True if the backend ignores repeated calls with the same idempotency key, so that calls may be repeated. Default false. */
  readonly idempotent: boolean
  /** Seconds after which a write is visible in a query. Default 0. */
  readonly settle: number
  /** Default `client-wins`; a `resolve` method takes precedence. */
  readonly conflict: ConflictPolicy
  /** Refuses a query that would remove more than this share of over 100 objects. 1 = no limit. Default 0.5. */
  readonly maxRemovedShare: number
  /**
   * Stores ids, versions and digests instead of content: pages read the content from the query, and conflicts are left to the backend. Default false.
   */
  readonly passThrough: boolean
  /** True if the plugin backend serves the source. */
  readonly isRemote?: boolean
  /** Pings the devices of affected users after a backend's push. Default false. */
  readonly pushNotify: boolean
  /**
   * The query parameters of an app that reach `query`: all, none, or the named ones; a sync with any queries at once. Default: all for partitions of
   * a single user, none for shared ones, since each user could otherwise query for all.
   */
  readonly queryParameters: boolean | readonly string[]
  /** Attribute → the source whose object ids it contains. */
  readonly belongsTo: { readonly [attribute: string]: string }
  /** Seconds until a call to the backend times out. Default 30; queries 600. */
  readonly timeout: number
  readonly queryTimeout: number
}

/** The settings that an operator may change at run time. */
export type ChangeableSettings = Pick<
  SourceSettings,
  'pollInterval' | 'syncType' | 'queue' | 'queryQueue' | 'cudQueue' | 'syncPriority' | 'retryLimit' | 'pushNotify'
>

/** The methods that call the backend. A request that needs a missing method is refused with `operation_not_supported`. */
export interface SourceMethods<A> {
  /** Returns all objects of the partition; other objects are removed. Without it, only pushes add objects. */
  query?(context: QueryContext): QueryResult<A>
  create?(attributes: A, context: WriteContext): Awaitable<CreateAnswer<A>>
  /** `changes`: the changed attributes; a removed one is `null`. Returned attributes are merged over them. */
  update?(
    id: ObjectId,
    changes: { [Name in keyof A]?: A[Name] | null },
    context: WriteContext,
  ): Awaitable<Partial<A> | undefined | void>
  delete?(id: ObjectId, context: WriteContext): Awaitable<void>
  /**
   * Receives each blob from a device, complete and checked, before the create or update that names it; its errors count as errors of that call. May
   * return the hash of another blob (from `context.putBlob`), which replaces it in the mutation.
   */
  storeBlob?(blob: SentBlob, context: WriteContext): Awaitable<string | undefined | void>
  /**
   * Returns matching objects from a backend with more than devices can hold. They are shown on the requesting device and not stored in the
   * collection.
   */
  search?(search: SearchFor, context: SearchContext): Awaitable<{ readonly [id: ObjectId]: A } | undefined | void>
  /** Called before a query, search or write for a user. Its failure refuses the user's mutations and fails the query, with its message. */
  login?(context: SourceContext): Awaitable<void>
  /** Called after each call that a login preceded, whatever the result. It is not awaited, and its failure is logged. */
  logoff?(context: SourceContext): Awaitable<void>
  /** Returns facts about the source for devices. */
  metadata?(context: SourceContext): Awaitable<{ readonly [name: string]: unknown }>
  schema?(context: SourceContext): Awaitable<{ readonly [name: string]: unknown }>
  /** Users with the same name share one partition. Default: the login. */
  partitionName?(user: string): string
  /** Decides a conflict: returns the resulting object, or undefined to remove it. */
  resolve?(conflict: Conflict<A>): A | undefined
}

/** A complete source, as returned by `defineSource`. */
export interface Source<A = Attributes> extends SourceSettings {
  readonly methods: SourceMethods<A>
}
