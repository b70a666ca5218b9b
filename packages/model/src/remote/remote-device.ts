import type { SyncError } from '@godwit/protocol'
import type { Overwritten, PendingChange, Refusal } from '../definition/reported-changes.js'
import type { LiveQueryFacts } from '../live/trace.js'
import type { AnyNameOf, NameOf } from '../sdk/parts.js'
import type { Sdk } from '../sdk/sdk.js'
import type { SubscriptionInfo } from '../subscriptions/subscription-list.js'
import type { LiveQuery } from '../typed/live-rows.js'
import type { EditOf } from '../typed/refused-change.js'
import type { TypedModels } from '../typed/typed-models.js'
import type { Sql } from '../typed/typed-sql.js'
import type { RemoteActions } from './actions.js'
import type { DeviceStatus } from './protocol.js'

/** A snapshot and a subscription, for frameworks. The snapshot is the same object until something changes. */
export interface Snapshot<T> {
  current(): T
  /** Call the result to stop. */
  subscribe(listener: () => void): () => void
}

/** A refused change with the actions to resolve it. Without one, it stays rolled back. */
export interface RemoteRefusal<Name extends string = string, Edit = unknown> extends Refusal<Name> {
  /** Makes the same change again. */
  retry(): Promise<void>
  /** Makes the change again with these modifications. */
  edit(changes: Edit): Promise<void>
  /** Removes it from the list. */
  dismiss(): Promise<void>
}

/** An applied change that replaced values of others, with the actions that end it. */
export interface RemoteOverwritten<Name extends string = string> extends Overwritten<Name> {
  /** Writes the values of the others again, and removes this from the list. */
  restore(): Promise<void>
  /** Removes this from the list; the change stays. */
  dismiss(): Promise<void>
}

/** Events of the SDK, and errors that no call waits for. */
export type RemoteEvent<Ms> = ReturnType<Sdk<Ms>['events']> extends AsyncGenerator<infer Event> ? Event : never

/** Methods with the same promise locally and remotely. */
type AsyncVerbs<Ms> = Pick<
  Sdk<Ms>,
  | 'login'
  | 'logout'
  | 'stopSync'
  | 'sync'
  | 'bulkSync'
  | 'search'
  | 'searchBackends'
  | 'registerPush'
  | 'unregisterPush'
  | 'pushKey'
>

/** A device in another thread: its models, actions and sync, with promises. */
export interface RemoteDevice<Ms, A = Record<never, never>> extends AsyncVerbs<Ms> {
  readonly models: TypedModels<Ms, 'remote'>
  readonly sql: Sql<'remote'>
  readonly actions: RemoteActions<A>
  /** The logged-in user, sync state and waiting changes: a live snapshot without a call. */
  readonly status: Snapshot<DeviceStatus>
  /** Refused changes that were not handled yet, live. */
  liveRefused<const Name extends string = NameOf<Ms>>(model?: Name): LiveQuery<RemoteRefusal<Name, EditOf<Name, Ms>>>
  refused<const Name extends string = NameOf<Ms>>(
    model?: Name,
  ): Promise<readonly RemoteRefusal<Name, EditOf<Name, Ms>>[]>
  /** Applied changes that replaced values of others, live. */
  liveOverwritten<const Name extends string = NameOf<Ms>>(model?: Name): LiveQuery<RemoteOverwritten<Name>>
  overwritten<const Name extends string = NameOf<Ms>>(model?: Name): Promise<readonly RemoteOverwritten<Name>[]>
  changes(model?: AnyNameOf<Ms>): Promise<readonly PendingChange[]>
  refreshTime(model: AnyNameOf<Ms>): Promise<string>
  /** The partitions that the device wants. */
  subscriptions(model?: AnyNameOf<Ms>): Promise<readonly SubscriptionInfo[]>
  staleSince(model: AnyNameOf<Ms>): Promise<string | null>
  blobPath(...given: Parameters<Sdk<Ms>['blobPath']>): Promise<string>
  /** For tools: returns the running live queries; for ten seconds `events()` also reports requests, transactions and live queries. */
  trace(): Promise<readonly LiveQueryFacts[]>
  debug(...given: Parameters<Sdk<Ms>['debug']>): Promise<ReturnType<Sdk<Ms>['debug']>>
  databaseLocalReset(): Promise<void>
  databaseFullReset(): Promise<void>
  databaseClientReset(): Promise<void>
  /** Events from now on, until the loop is left or the device is closed. */
  events(): AsyncGenerator<RemoteEvent<Ms>, void, void>
  /**
   * Repeats the call of an `owner_silent` error under the same number: it is done once, however often you repeat it. Rejects with the same error if
   * it cannot be repeated.
   */
  repeat(error: SyncError): Promise<unknown>
  /** Ends this page's part. The device stays open in its own thread. */
  close(): void
}
