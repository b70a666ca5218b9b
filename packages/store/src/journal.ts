import type { Attributes, Mutation, ObjectId, Outcome, OutcomeStatus, SourceError } from '@godwit/protocol'
import type { CollectionId, RefusedWrite, StoredObjectState } from './collections.js'
import type { OutcomePage, Outcomes } from './outcomes.js'

/**
 * The state of a mutation.
 *
 * - `queued`: accepted, the source was not called yet.
 * - `started`: the source is being called; leased.
 * - `in_doubt`: the source was called, its answer is unknown.
 * - `decided`: has its outcome.
 */
export type MutationState = 'queued' | 'started' | 'in_doubt' | 'decided'

/** A mutation in the journal. Its key is its identity; client and number say where its device counts it. */
export interface JournalEntry {
  readonly collection: CollectionId
  readonly client: string
  /** The user on whose behalf the source is called. */
  readonly user: string
  /** Order of acceptance in the collection. */
  readonly sequence: number
  /** As it came, but temporary ids of decided owners are rewritten to real ones. Without content (`attributes`, `was`, `changed`, and the outcome's `attributes` and `error`) once it is decided and acknowledged; in `pass_through` sources always without. Ids stay: order and owners go by them. */
  readonly mutation: Mutation
  readonly state: MutationState
  /** How often it was started. */
  readonly attempts: number
  /** Once decided; of one in doubt, that outcome. */
  readonly outcome?: Outcome
}

/** A push that asks to be taken into the journal: the client's state, and its mutations in order. */
export interface Acceptance {
  readonly client: string
  readonly user: string
  /** The epoch that the push names. */
  readonly epoch: string
  readonly acknowledged: number
  readonly mutations: readonly Mutation[]
  /** The source may be called twice for one key: an unknown `sent` mutation is queued; else it is in doubt at once. */
  readonly idempotent: boolean
  /** Keeps numbers, keys, states and the ids that order and owners go by, but no attributes. Default false. */
  readonly contentless?: boolean
}

/**
 * `epoch`: the push names another epoch. `gap`: `expected` is the number that comes next.
 * `forked`: a known number with another key, or `acknowledged` outside of what the journal has given this client: below what it acknowledged before, or above the last outcome; or a key that another user's mutation has.
 */
export type Acceptances =
  | {
      readonly entries: readonly JournalEntry[]
      /** Number of the client's last outcome. */
      readonly last: number
      /** Whether a query of the collection was ever complete. */
      readonly queried: boolean
    }
  /** The present one; '' if there is no collection. */
  | (RefusedWrite<'epoch'> & { readonly epoch: string })
  | (RefusedWrite<'gap'> & { readonly expected: number })
  | RefusedWrite<'forked'>

/** Options of a start. */
export interface Start {
  /** How long the start is leased, in milliseconds. */
  readonly milliseconds: number
  /** False: need not be on disk, nor anywhere else, before it resolves (only for idempotent sources without conflicts to judge). */
  readonly durable: boolean
}

/** A mutation whose call may be made, as its start found it. */
export interface StartedMutation {
  readonly entry: JournalEntry
  readonly epoch: string
  /** Grows with every start of the collection, and is never given again, not even after a drop. */
  readonly fence: number
  /** The object as it stood at the first start: conflicts are judged on this, once, whatever comes later. */
  readonly before: StoredObjectState
}

/**
 * Why it cannot start now. `state`: it is not queued (somebody else has it, or it is decided). `held`: an earlier mutation of this client for the same object,
 * the create of one of its owners, or a started mutation of the object by any client is undecided; or the time that a release named is not over.
 * `owner`: an owner is refused or unknown to the journal; the caller settles it as `depends_on_refused`. `unconfirmed`: the store cannot make it as durable
 * as it has to at the moment; nothing began, and it is tried again later.
 */
export type StartRefusal = RefusedWrite<'state' | 'held' | 'owner' | 'unconfirmed'>

/** The result of one mutation. */
export interface Settlement {
  readonly epoch: string
  /** Of the start whose result this is. Absent: it is settled without a call (refused before a start, discarded by an operator); then it must not be started. */
  readonly fence?: number
  readonly status: Exclude<OutcomeStatus, 'queued' | 'in_doubt'>
  /** What changes in the collection; a query is asked for where the backend said something else during the call, be it only what stood there already. Absent: nothing. */
  readonly write?: Write
  /** The real id, of a create that got another than its temporary one. */
  readonly link?: ObjectId
  readonly error?: SourceError
  /** The call may be a repeat, or its own result is not what is settled: asks for a query in the same step. */
  readonly ask?: boolean
}

/** `set`: attributes by name, `null` removes one; each is written only where the object's present value is the one of `before` (an attribute that differs stays, and the query is asked for). `remove`: only an object unchanged since `before` goes, else the same. An object that was removed since the start is not brought back. */
export type Write =
  | { readonly object: ObjectId; readonly set: Attributes }
  | { readonly object: ObjectId; readonly remove: true }

/** What a settlement did to the mutation and to its collection. */
export interface SettledMutation {
  readonly outcome: Outcome
  /** The head's version after it. */
  readonly version: number
  /** Attributes or objects left alone because they changed since the start; a query has been asked for. */
  readonly spared: number
  /** Undecided mutations that the refusal of this one decided too. */
  readonly refusedDependents: number
  /** Whether the collection has undecided mutations left, after this or after others that were settled in the same step. */
  readonly left: boolean
}

/**
 * The journal of a collection: what devices sent and what became of it. It lives with the collection: a drop takes it along.
 *
 * Laws: numbers count from 1 per client without gaps; a key is one mutation for ever, also when its device counts it under another client id or number;
 * outcomes have their own numbers per client in order of decision; a decided mutation stays decided.
 */
export interface Journal {
  /**
   * Journals new mutations and returns known ones as they stand, in the order given; all or none: of a process that dies meanwhile or a push of the same client at the same time, the first ones may be journaled alone. Also acknowledges.
   * A key known under another client or number is moved to this one, state and all (one that has an outcome gets a new outcome number; the former client's outcome goes).
   * Owners that are decided by now are rewritten in the new entries.
   * Durable with the next durable operation of the collection, or `flush`.
   */
  accept(collection: CollectionId, acceptance: Acceptance): Promise<Acceptances>

  /** Resolves when everything accepted before is durable. */
  flush(collection: CollectionId): Promise<void>

  /** Marks one as about to be called. */
  start(collection: CollectionId, key: string, options: Start): Promise<StartedMutation | StartRefusal>

  /** Changes, outcome, link, and the rewriting (after a link) or refusal (after a refused create) of undecided dependents, transitively, as one step: a store may tell many dependents one after the other, if nothing else of the journal is written before all are told, also where the process dies meanwhile. Refused (`state`): already decided, or the fence is not of its last start. One that was released or put back in line meanwhile still takes the late true result of its last start. Durable. */
  settle(
    collection: CollectionId,
    key: string,
    settlement: Settlement,
  ): Promise<SettledMutation | RefusedWrite<'epoch' | 'state'>>

  /**
   * Gives a start up: `queued` starts again after `retryIn` milliseconds by the store's clock, `in_doubt` gets that outcome and requests a
   * query. Durable; refused (`state`) when it is not started under this fence.
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
  ): Promise<'released' | RefusedWrite<'state'>>

  /** An operator puts one that is in doubt back in line, at once; its outcome goes. Refused (`state`) when it is not in doubt. */
  retry(collection: CollectionId, key: string): Promise<'released' | RefusedWrite<'state'>>

  /** Outcomes after a number, in their order, at most `limit`; acknowledged ones are left out. Of each mutation the last: a decision takes the place of `in_doubt`. */
  outcomes(collection: CollectionId, client: string, page: OutcomePage): Promise<Outcomes>

  /** The client has applied every outcome up to this number: their contents go; numbers are never given again. A number above the last outcome is ignored. */
  acknowledge(collection: CollectionId, client: string, through: number): Promise<void>

  /** Entries of this collection in order of acceptance: queued ones whose wait after a release is over, of one client if given. */
  queued(
    collection: CollectionId,
    page: { readonly client?: string | undefined; readonly after?: number | undefined; readonly limit: number },
  ): Promise<readonly JournalEntry[]>

  /** Entries by key; unknown ones are left out. */
  entries(collection: CollectionId, keys: readonly string[]): Promise<readonly JournalEntry[]>

  /** Over all collections, in a stable order: entries of one state; `started` ones only when their lease has run out, with `fence` for release. */
  undecided(page: {
    readonly state: 'queued' | 'started' | 'in_doubt'
    readonly after?: UndecidedCursor | undefined
    readonly limit: number
  }): Promise<readonly (JournalEntry & { readonly fence: number })[]>

  /**
   * Forgets what a client had pushed and was decided; its undecided mutations stay and run on. The client's id never comes back: its device takes another, to which they move.
   * A late copy of its requests finds that all its outcomes, and one more, were acknowledged: it is refused as `forked`, like every old one.
   */
  dropClient(collection: CollectionId, client: string): Promise<void>
}

/** A position in the list of undecided mutations; the next page begins behind it. */
export interface UndecidedCursor {
  readonly collection: CollectionId
  readonly sequence: number
}
