import type {
  Attributes,
  Mutation,
  ObjectId,
  Outcome,
  OutcomeStatus,
  PartitionParameters,
  SourceError,
} from '@godwit/protocol'
import type { CollectionId, RefusedWrite, StoredObjectState } from './collections.js'
import type { OutcomePage, Outcomes } from './outcomes.js'

/**
 * The state of a mutation.
 * - `queued`: accepted; the source was not called yet.
 * - `started`: the source is being called, under a lease.
 * - `in_doubt`: the source was called, and the result is unknown.
 * - `decided`: it has its outcome.
 */
export type MutationState = 'queued' | 'started' | 'in_doubt' | 'decided'

/** A mutation in the journal. Its key is its identity; client and number are those under which its device counts it. */
export interface JournalEntry {
  readonly collection: CollectionId
  readonly client: string
  /** The user on whose behalf the source is called. */
  readonly user: string
  /** The order of acceptance in the collection. */
  readonly sequence: number
  /**
   * The mutation as received, except that temporary ids of decided owners are replaced with real ones. Without content (`attributes`, `was`,
   * `was_digests`, `changed`, and the outcome's `attributes`, `overwrote`, `moved` and `error`) once it is decided and acknowledged; in `pass_through`
   * sources always. Ids remain, since order and owners depend on them.
   */
  readonly mutation: Mutation
  readonly state: MutationState
  /** How often it was started. */
  readonly attempts: number
  /** The outcome, once decided; for one in doubt, that outcome. */
  readonly outcome?: Outcome
}

/** A push to accept into the journal: the client's state, and its mutations in order. */
export interface Acceptance {
  readonly client: string
  readonly user: string
  /** The epoch of the push. */
  readonly epoch: string
  readonly acknowledged: number
  readonly mutations: readonly Mutation[]
  /** True if the source may be called twice for one key: an unknown `sent` mutation is then queued, otherwise it is in doubt immediately. */
  readonly idempotent: boolean
  /** Stores numbers, keys, states and the ids that order and owners depend on, but no attributes. Default false. */
  readonly contentless?: boolean
}

/**
 * The result of accepting a push. `epoch`: the push has another epoch. `gap`: `expected` is the next number. `forked`: a known number has another
 * key; or `acknowledged` is below the client's earlier value or above its last outcome; or another user's mutation has one of the keys.
 */
export type Acceptances =
  | {
      readonly entries: readonly JournalEntry[]
      /** The number of the client's last outcome. */
      readonly last: number
      /** True if a query of the collection ever succeeded. */
      readonly queried: boolean
    }
  /** The present epoch; '' if there is no collection. */
  | (RefusedWrite<'epoch'> & { readonly epoch: string })
  | (RefusedWrite<'gap'> & { readonly expected: number })
  | RefusedWrite<'forked'>

/** The options of a start. */
export interface Start {
  /** The length of the lease in milliseconds. */
  readonly milliseconds: number
  /** False if it may resolve before it is on disk or on a replica (only for idempotent sources without conflict checks). */
  readonly durable: boolean
}

/** A mutation whose backend may now be called. */
export interface StartedMutation {
  readonly entry: JournalEntry
  readonly epoch: string
  /** Increases with every start in the collection; never issued again, not even after a drop. */
  readonly fence: number
  /** The object's state at the first start: conflicts are judged by it, regardless of later changes. */
  readonly before: StoredObjectState
}

/**
 * The reason for which a mutation cannot start. `state`: it is not queued (another process has it, or it is decided). `held`: an earlier mutation of
 * this client for the same object, the create of one of its owners, or a started mutation of the object by any client is undecided; or the delay of a
 * release is not over. `owner`: an owner is refused or unknown to the journal; the caller settles it as `depends_on_refused`. `unconfirmed`: the
 * store cannot make it durable enough at present; nothing began, and it is retried later.
 */
export type StartRefusal = RefusedWrite<'state' | 'held' | 'owner' | 'unconfirmed'>

/** The result of one mutation. */
export interface Settlement {
  readonly epoch: string
  /** The fence of the start. Absent: settled without a call (refused before a start, or discarded by an operator); then it must not be started. */
  readonly fence?: number
  readonly status: Exclude<OutcomeStatus, 'queued' | 'in_doubt'>
  /**
   * The change to the collection. A query is requested if the backend sent a different value during the call, even one already stored. Absent: none.
   */
  readonly write?: Write
  /** The real id of a create, if it differs from its temporary one. */
  readonly link?: ObjectId
  readonly error?: SourceError
  /** What the write replaced although its device had not seen it; part of the outcome. */
  readonly overwrote?: Attributes | undefined
  /** Where the object is now: it left this collection, from which `write` removes it even if it changed since the start. Part of the outcome. */
  readonly moved?: MovedObject | undefined
  /** True if the call may be a repeat, or its result is not what is settled: requests a query in the same step. */
  readonly ask?: boolean
}

/** An object that moved to another partition: the partition's parameters, and all attributes of the object. */
export interface MovedObject {
  readonly parameters: PartitionParameters
  readonly attributes: Attributes
}

/**
 * `set`: attributes by name, `null` removes one. Each is written only if the object's present value is the one of `before`; one that differs stays,
 * and a query is requested. `remove`: an object is removed only if it is unchanged since `before`, otherwise likewise. An object that was removed
 * since the start is not restored.
 */
export type Write =
  | { readonly object: ObjectId; readonly set: Attributes }
  | { readonly object: ObjectId; readonly remove: true }

/** The result of a settlement. */
export interface SettledMutation {
  readonly outcome: Outcome
  /** The head's version afterwards. */
  readonly version: number
  /** How many attributes or objects were left alone because they changed since the start; a query was requested if there are any. */
  readonly spared: number
  /** How many undecided mutations were refused because they depend on this one. */
  readonly refusedDependents: number
  /** True if the collection has undecided mutations left, after all settlements of the same step. */
  readonly left: boolean
  /** The number of the query that this settlement requested: the head's `queriesRequested`. Absent: it requested none. */
  readonly queryRequest?: number | undefined
}

/** The end of a start without a result. */
export interface ReleasedMutation {
  readonly released: 'queued' | 'in_doubt'
  /** The number of the query that a mutation in doubt requests: the head's `queriesRequested`. */
  readonly queryRequest?: number | undefined
}

/**
 * The journal of a collection: the mutations of devices and their outcomes. A drop of the collection removes it.
 *
 * Laws: numbers count from 1 per client without gaps; a key is one mutation for ever, even if its device counts it under another client id or number;
 * outcomes are numbered per client in order of decision; a decided mutation stays decided.
 */
export interface Journal {
  /**
   * Adds new mutations to the journal and returns known ones as they are, in the order of the push; also acknowledges. All or none, except that after
   * a crash, or with a concurrent push of the same client, the first ones may have been added alone. A key known under another client or number is
   * moved here with its state; an outcome gets a new number, and is removed from the former client. Temporary ids of decided owners are replaced in
   * new entries. Durable with the next durable operation of the collection, or `flush`.
   */
  accept(collection: CollectionId, acceptance: Acceptance): Promise<Acceptances>

  /** Resolves when everything accepted before is durable. */
  flush(collection: CollectionId): Promise<void>

  /** Marks a mutation as started, before its backend is called. */
  start(collection: CollectionId, key: string, options: Start): Promise<StartedMutation | StartRefusal>

  /**
   * Writes changes, outcome and link, and rewrites (after a link) or refuses (after a refused create) undecided dependents, transitively, as one
   * step. A store may process many dependents in several steps, provided that nothing else of the journal is written before all are done, even if the
   * process dies. Refused (`state`): already decided, or the fence is not of its last start. A mutation that was released or queued again meanwhile
   * still accepts the late result of its last start. Durable.
   */
  settle(
    collection: CollectionId,
    key: string,
    settlement: Settlement,
  ): Promise<SettledMutation | RefusedWrite<'epoch' | 'state'>>

  /**
   * Ends a start without a result. `queued`: it may start again after `retryIn` milliseconds by the store's clock. `in_doubt`: it gets that outcome,
   * and a query is requested. Refused (`state`) if it is not started under this fence. Durable.
   */
  release(
    collection: CollectionId,
    key: string,
    release: {
      readonly fence: number
      readonly to: 'queued' | 'in_doubt'
      readonly retryIn?: number | undefined
      readonly error?: SourceError | undefined
    },
  ): Promise<ReleasedMutation | RefusedWrite<'state'>>

  /** Queues a mutation in doubt again, at an operator's request, and removes its outcome. Refused (`state`) if it is not in doubt. */
  retry(collection: CollectionId, key: string): Promise<'released' | RefusedWrite<'state'>>

  /** Lists outcomes after a number in order, at most `limit`, without acknowledged ones. Each mutation has one: a decision replaces `in_doubt`. */
  outcomes(collection: CollectionId, client: string, page: OutcomePage): Promise<Outcomes>

  /**
   * Acknowledges all outcomes up to this number: their contents are deleted, and their numbers never issued again. A number above the last outcome is
   * ignored.
   */
  acknowledge(collection: CollectionId, client: string, through: number): Promise<void>

  /**
   * Lists queued entries of this collection in order of acceptance, optionally of one client, without those that still wait after a release: at most
   * `limit`, and up to `READ_BYTES`, but at least one. None: there are no further ones.
   */
  queued(
    collection: CollectionId,
    page: { readonly client?: string | undefined; readonly after?: number | undefined; readonly limit: number },
  ): Promise<readonly JournalEntry[]>

  /** Returns entries by key; unknown ones are left out. */
  entries(collection: CollectionId, keys: readonly string[]): Promise<readonly JournalEntry[]>

  /**
   * Lists entries of one state over all collections, in a stable order, bounded as `queued`; `started` ones only if their lease has expired. The `fence`
   * is for `release`.
   */
  undecided(page: {
    readonly state: 'queued' | 'started' | 'in_doubt'
    readonly after?: UndecidedCursor | undefined
    readonly limit: number
  }): Promise<readonly (JournalEntry & { readonly fence: number })[]>

  /**
   * Deletes a client's decided mutations; its undecided ones stay and continue. The client's id is never used again: its device takes another, to
   * which they move. For late copies of its requests, all its outcomes and one more count as acknowledged, so that they are refused as `forked`.
   */
  dropClient(collection: CollectionId, client: string): Promise<void>
}

/** A position in the list of undecided mutations; the next page begins after it. */
export interface UndecidedCursor {
  readonly collection: CollectionId
  readonly sequence: number
}
