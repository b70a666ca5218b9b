import type { SyncError } from '@godwit/protocol'
import type { PendingChange, Refusal } from '../device.js'
import type { LiveQueryFacts } from '../live/trace.js'
import type { AnyNameOf, NameOf } from '../sdk/parts.js'
import type { Sdk } from '../sdk.js'
import type { LiveQuery } from '../typed/live-rows.js'
import type { TypedModels } from '../typed/models.js'
import type { EditOf } from '../typed/refused-change.js'
import type { Sql } from '../typed/sql.js'
import type { RemoteActions } from './actions.js'
import type { DeviceStatus } from './protocol.js'

/** A snapshot and a subscription, for frameworks: the snapshot is the same object until something changed. */
export interface Snapshot<T> {
  current(): T
  /** Call the result to stop. */
  subscribe(listener: () => void): () => void
}

/** A change that the server did not take, and what can be done about it from here. Doing nothing leaves it rolled back. */
export interface RemoteRefusal<Name extends string = string, Edit = unknown> extends Refusal<Name> {
  /** Makes the change again as it was. */
  retry(): Promise<void>
  /** Makes the change again with these changes to it. */
  edit(changes: Edit): Promise<void>
  /** Lists it no more. */
  dismiss(): Promise<void>
}

/** What `events()` tells: everything that the SDK tells, and what failed where no call waits for it. */
export type RemoteEvent<Ms> = ReturnType<Sdk<Ms>['events']> extends AsyncGenerator<infer Event> ? Event : never

/** Verbs that are the same promise here and remote. */
type AsyncVerbs<Ms> = Pick<Sdk<Ms>, 'login' | 'logout' | 'stopSync' | 'sync' | 'bulkSync' | 'search' | 'searchBackends'>

/** A device that another thread has: its models, actions and sync, as promises. */
export interface RemoteDevice<Ms, A = Record<never, never>> extends AsyncVerbs<Ms> {
  readonly models: TypedModels<Ms, 'remote'>
  readonly sql: Sql<'remote'>
  readonly actions: RemoteActions<A>
  /** Who is logged in, whether it syncs, what waits: without asking, and live. */
  readonly status: Snapshot<DeviceStatus>
  /** Refused changes that were not handled yet, live. */
  liveRefused<const Name extends string = NameOf<Ms>>(model?: Name): LiveQuery<RemoteRefusal<Name, EditOf<Name, Ms>>>
  refused<const Name extends string = NameOf<Ms>>(
    model?: Name,
  ): Promise<readonly RemoteRefusal<Name, EditOf<Name, Ms>>[]>
  changes(model?: AnyNameOf<Ms>): Promise<readonly PendingChange[]>
  refreshTime(model: AnyNameOf<Ms>): Promise<string>
  blobPath(...given: Parameters<Sdk<Ms>['blobPath']>): Promise<string>
  /** For tools: returns the live queries that run, and tells in `events()` for ten seconds of requests, transactions and what live queries ask. */
  trace(): Promise<readonly LiveQueryFacts[]>
  debug(...given: Parameters<Sdk<Ms>['debug']>): Promise<ReturnType<Sdk<Ms>['debug']>>
  databaseLocalReset(): Promise<void>
  databaseFullReset(): Promise<void>
  databaseClientReset(): Promise<void>
  /** What happens from now on, until the loop is left or the device is closed. */
  events(): AsyncGenerator<RemoteEvent<Ms>, void, void>
  /**
   * Asks again for what an error `owner_silent` left open, under the same number: done once, however often it is repeated.
   * Rejects with the same error where it cannot be repeated.
   */
  repeat(error: SyncError): Promise<unknown>
  /** Ends this page's part. The device stays open in its own thread. */
  close(): void
}
