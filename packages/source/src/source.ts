import type { Attributes, ObjectId, PartitionParameters, SearchFor } from '@godwit/protocol'
import type { ChangesContext, ChangesResult } from './changes.js'
import type {
  AccessContext,
  PartitionContext,
  QueryContext,
  ReadContext,
  SearchContext,
  SentBlob,
  SourceContext,
  WriteContext,
} from './context.js'
import type { Feed } from './feed.js'

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
  /**
   * `app`: one copy for all users. `user` (default): one per user, or per name from `partitionName`. `by`: one for each set of values of the attributes
   * in `by`; it follows from that setting.
   */
  readonly partition: 'app' | 'user' | 'by'
  /**
   * The attributes of an object that name its partition, at most four: text up to 256 characters, numbers or booleans. The partition is shared by all
   * users who may see it: `partitionsOf` lists them, and `allow` decides. An id is unique over all partitions. Default: none.
   */
  readonly by?: readonly string[]
  /** Seconds between queries, or runs of `changes`: 0 = at every pull, -1 = only on request. Default 300; -1 for a source with a feed. */
  readonly pollInterval: number
  /** Seconds between queries that repair what `changes` or the feed missed: -1 = never. Default -1. */
  readonly reconcileInterval: number
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
  /**
   * What the plugin backend serves beyond queries and writes for a source without functions: `get`, single objects; `changes`, since a cursor, in place
   * of polling with queries. Default: neither.
   */
  readonly remoteMethods: readonly ('get' | 'changes')[]
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
  /**
   * Returns the present state of some objects, at most 1,000; absent ones are gone. Replaces a query wherever the server has to look at a few objects
   * again.
   */
  get?(ids: readonly ObjectId[], context: ReadContext): Awaitable<{ readonly [id: ObjectId]: A } | undefined>
  /**
   * Yields what changed in the partition since a cursor, this server's own writes included; from `null` all objects. Replaces polling with `query`.
   *
   * @example
   * ```ts
   * async *changes({ cursor, user, signal }) {
   *   for await (const part of shop.ordersSince(cursor, user, { signal }))
   *     yield { objects: part.changed, removed: part.removed, cursor: part.cursor }
   * }
   * ```
   */
  changes?(context: ChangesContext): ChangesResult<A>
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
  /**
   * Returns the partitions of a source with `by` that every device of the user holds without a subscription. Asked again after `limits.allowCache`
   * seconds, or at once after a refresh of the user's partitions. Default: none.
   *
   * @example
   * ```ts
   * partitionsOf: async ({ user }) => (await db.projectsOf(user)).map(project => ({ project }))
   * ```
   */
  partitionsOf?(context: AccessContext): Awaitable<readonly PartitionParameters[]>
  /**
   * Returns true if the user may see a partition of a source with `by`, and write to it. Asked at each request; true is remembered for
   * `limits.allowCache` seconds. Default: true for those that `partitionsOf` returns.
   */
  allow?(context: PartitionContext): Awaitable<boolean>
  /** Users with the same name share one partition. Default: the login. */
  partitionName?(user: string): string
  /** Decides a conflict: returns the resulting object, or undefined to remove it. */
  resolve?(conflict: Conflict<A>): A | undefined
}

/** A complete source, as returned by `defineSource`. */
export interface Source<A = Attributes> extends SourceSettings {
  readonly methods: SourceMethods<A>
  /** What tells of changes in all partitions. Undefined: nothing does. */
  readonly feed?: Feed
}
