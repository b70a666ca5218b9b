import type { ObjectId, PartitionParameters } from '@godwit/protocol'
import type { BlobRef } from '../definition/attribute-types.js'
import type { PendingChange } from '../definition/reported-changes.js'
import { type NotificationHandler, Notifications } from '../events/notifications.js'
import { type ObjectNotificationHandler, ObjectNotifications } from '../events/object-notifications.js'
import type { SdkEvent } from '../events/sdk-events.js'
import type { LiveQueryFacts } from '../live/trace.js'
import { createOrm, type Orm } from '../orm/create-orm.js'
import type { SignInState } from '../platform/sign-in-state.js'
import type { Device } from '../records/device-interface.js'
import type { PushAddress, WebPushSubscription } from '../run/push-registration.js'
import type { SubscribeOptions } from '../subscriptions/subscribe.js'
import { type Subscription, subscriptionOn } from '../subscriptions/subscription.js'
import type { SubscriptionInfo } from '../subscriptions/subscription-list.js'
import type { BulkSummary } from '../sync/bulk-sync.js'
import type { SearchOptions, SearchSummary } from '../sync/search-backends.js'
import type { SyncSummary } from '../sync/sync.js'
import { OverwrittenChange } from '../typed/overwritten-change.js'
import { RefusedChange, type RefusedChangeOf } from '../typed/refused-change.js'
import type { TypedModels } from '../typed/typed-models.js'
import { createSql, type Sql } from '../typed/typed-sql.js'
import { Accounts, type LoginOptions, type TokenLoginOptions } from './accounts.js'
import { type DebugOptions, type DeviceDump, debug } from './device-dump.js'
import type { AnyNameOf, NameOf, SdkParts } from './parts.js'
import { PushControls } from './push-controls.js'
import { resetClient, resetFull, resetLocal } from './resets.js'
import { SdkLifetime } from './sdk-lifetime.js'
import { type BulkOptions, SyncControls, type SyncRequest } from './sync-controls.js'

/** The result of `status`. */
export interface SdkStatus {
  /** The server's id of the last user; null before the first login. */
  readonly userId: string | null
  /** The login of the last user; null before the first login. */
  readonly userName: string | null
  /** The client id of this device; null before the first sync. */
  readonly clientId: string | null
  /** True while a user is logged in. */
  readonly loggedIn: boolean
  /**
   * `guest`: no user has logged in yet, and the first login adopts what the device has. `signed_out`: the server has ended
   * the session; `logged_out`: the user has. Reads and writes go on, and `waiting` changes are sent after the next login.
   */
  readonly signIn: SignInState
  /** False if the last request failed or got a 5xx response; null before the first request since the device was opened, and while a lost event stream is opened again. */
  readonly online: boolean | null
  /** True while a sync is running. */
  readonly syncing: boolean
  /** Number of changes that the server has neither accepted nor refused yet. */
  readonly waiting: number
  /** Number of refused changes that are not resolved yet. */
  readonly refused: number
  /** Number of applied changes that replaced values of others and are not dismissed yet. */
  readonly overwritten: number
  /**
   * Since when what changed in the backend may be missing, because nothing tells the server of changes, ISO 8601: the earliest of all models, as of
   * their last sync. null: nothing is missing.
   */
  readonly staleSince: string | null
}

/** An open device: its models, its user, sync, and undecided changes. */
export class Sdk<Ms = Record<never, never>> {
  /** The typed models passed at opening. */
  readonly models: TypedModels<Ms>
  /** Read-only SELECTs over the models, also live. */
  readonly sql: Sql
  /** The class `NewORMModel`. */
  readonly NewORMModel: Orm['NewORMModel']
  /** Defines a `NewORMModel` and creates its tables. */
  readonly addModel: Orm['addModel']
  /** Returns a `NewORMModel` by name, or null. */
  readonly getModel: Orm['getModel']

  readonly #lifetime: SdkLifetime<Ms>
  readonly #accounts: Accounts
  readonly #syncs: SyncControls<Ms>
  readonly #push: PushControls
  readonly #notifications: Notifications
  readonly #objects: ObjectNotifications

  constructor(parts: SdkParts<Ms>) {
    this.#lifetime = new SdkLifetime(parts)
    this.#accounts = new Accounts(this.#lifetime)
    this.#push = new PushControls(this.#lifetime)
    this.#syncs = new SyncControls(this.#lifetime)
    this.#notifications = new Notifications(error => parts.registry.live.callbacks.threw(error))
    this.#objects = new ObjectNotifications((source, object) => parts.device.idOf(source, object))
    parts.events.listen(event => {
      this.#notifications.notify(event)
      this.#objects.notify(event)
    })
    this.models = parts.models
    this.sql = createSql(parts.device)
    const { NewORMModel, addModel, getModel } = createOrm(parts.device)
    this.NewORMModel = NewORMModel
    this.addModel = addModel
    this.getModel = getModel
  }

  /**
   * Logs in with a password; the first sync starts automatically in a later task. Rows made before the first login become the user's. Logging in as
   * another user replaces the former user's data, which requires `discard` if there are undecided changes.
   */
  login(login: string, password: string, options?: LoginOptions): Promise<void>
  /** Logs in with a token of an identity provider, by default the one that `credentials` returns; a later one renews the session. */
  login(options?: TokenLoginOptions): Promise<void>
  login(first?: string | TokenLoginOptions, password?: string, options?: LoginOptions): Promise<void> {
    return typeof first === 'string'
      ? this.#accounts.login({ login: first, password: password ?? '' }, options)
      : this.#accounts.loginByToken(first)
  }

  /**
   * Registers the address at which push messages reach this device while the app is closed: a token of the platform, or the subscription of a
   * browser. It is kept over logins, and sent to the server now, or with the next sync if that cannot be reached. Rejects if the server refuses it.
   */
  registerPush(address: PushAddress | WebPushSubscription): Promise<void> {
    return this.#push.register(address)
  }

  /** Removes the address of `registerPush`, on the server with the next sync at the latest. */
  unregisterPush(): Promise<void> {
    return this.#push.unregister()
  }

  /** Returns the public VAPID key of the server, with which pages subscribe; null if it sends no messages to browsers. */
  pushKey(): Promise<string | null> {
    return this.#push.key()
  }

  /** Ends the session, also on the server if it can be reached. The data is kept, and push messages end until the next login. */
  logout(): Promise<void> {
    return this.#accounts.logout()
  }

  /** Returns true while a user is logged in. */
  isLoggedIn(): boolean {
    return this.#lifetime.parts.session.token !== null
  }

  /** The login of the last user; null before the first. */
  get userName(): string | null {
    return this.#lifetime.parts.session.userName
  }

  /** Returns the client id of this device; null before the first sync. */
  clientId(): string | null {
    return this.#lifetime.parts.device.clientId()
  }

  /**
   * Sends and fetches the changes of the given models, by default of all in sync order. Without parameters it joins a running first sync; `query` is
   * passed to the query of each source, which then runs immediately. Rejects only if it could not run (`logged_out`, `offline`, `device_locked`).
   */
  sync(
    given?: AnyNameOf<Ms> | SyncRequest<Ms>,
    parameters?: { readonly [name: string]: string },
  ): Promise<SyncSummary<NameOf<Ms>>> {
    return this.#syncs.sync(given, parameters)
  }

  /**
   * Searches the backends for objects that are not on this device and adds the results to its rows. They stay until the next search of the same
   * source without an `offset`, or until a sync delivers the row. Rejects if it could not run (`logged_out`, `offline`).
   */
  search(options: SearchOptions<NameOf<Ms>>): Promise<SearchSummary<NameOf<Ms>>> {
    return this.#syncs.search(options)
  }

  /** The same as `search`. The name distinguishes it from `find({ search })`, which searches this device. */
  searchBackends(options: SearchOptions<NameOf<Ms>>): Promise<SearchSummary<NameOf<Ms>>> {
    return this.#syncs.search(options)
  }

  /**
   * Loads whole sources as one file per partition and then syncs later changes: faster than pulls for many rows, and required for `bulk_only` models.
   * Undecided changes are kept. Default: all models that sync. Rejects as `sync` does, and with `backend_failed`.
   */
  bulkSync(options?: BulkOptions<NameOf<Ms>>): Promise<BulkSummary> {
    return this.#syncs.bulkSync(options)
  }

  /** Stops a running sync between pages. Stored pages are kept; the next sync continues after them. */
  async stopSync(): Promise<void> {
    await this.#lifetime.runAlive(({ runner }) => runner.stop())
  }

  /** Returns when a model last finished loading its changes, as ISO 8601; '' if it never has. */
  refreshTime(model: AnyNameOf<Ms>): string {
    return this.#lifetime.parts.device.refreshTime(model)
  }

  /** Returns since when a model may lack what changed in the backend, as of its last sync, ISO 8601; null: it does not. */
  staleSince(model: AnyNameOf<Ms>): string | null {
    return this.#lifetime.parts.device.staleSince(model)
  }

  /** Returns the number of objects that the last sync of a source, or of all, delivered or removed, including bulk data. */
  getLastSyncObjectCount(source?: AnyNameOf<Ms>): number {
    return this.#syncs.objectCount(source)
  }

  /** Rows per page. Default 2000. */
  get pageSize(): number {
    return this.#syncs.pageSize
  }

  set pageSize(rows: number) {
    this.#syncs.pageSize = rows
  }

  /**
   * Number of rows above which the first sync of an `app` source loads the rest as one file; until the server has built it, the sync continues with
   * pages. Default 20,000; Infinity: pages only.
   */
  get bulkThreshold(): number {
    return this.#syncs.bulkThreshold
  }

  set bulkThreshold(rows: number) {
    this.#syncs.bulkThreshold = rows
  }

  /** Seconds between automatic syncs while logged in. Default 60; 0 disables automatic syncs, the event stream and automatic sending. */
  get pollInterval(): number {
    return this.#syncs.pollInterval
  }

  set pollInterval(seconds: number) {
    this.#syncs.pollInterval = seconds
  }

  /** Returns events from now on, until the loop ends or the SDK is closed: `for await (const event of sdk.events())`. */
  events(): AsyncGenerator<SdkEvent<NameOf<Ms>>, void, void> {
    return this.#lifetime.parts.events.all() as AsyncGenerator<SdkEvent<NameOf<Ms>>, void, void>
  }

  /** Sets the handler for notifications about syncs of one source, or of all with `*`. */
  setNotification(source: AnyNameOf<Ms> | '*', handler: NotificationHandler): void {
    this.#notifications.set(source, handler)
  }

  /** Removes the handler of one source, or the one set for `*`. */
  clearNotification(source: AnyNameOf<Ms> | '*'): void {
    this.#notifications.clear(source)
  }

  /** Sets the handler for objects that syncs add, change or remove: those registered with `addObjectNotify`, or all if there are none. */
  setObjectNotification(handler: ObjectNotificationHandler): void {
    this.#lifetime.parts.settings.watchesObjects = true
    this.#objects.set(handler)
  }

  /** Removes the handler of `setObjectNotification`. */
  clearObjectNotification(): void {
    this.#lifetime.parts.settings.watchesObjects = false
    this.#objects.set(undefined)
  }

  /** Registers an object for `setObjectNotification`. */
  addObjectNotify(source: AnyNameOf<Ms>, object: ObjectId): void {
    this.#objects.add(source, object)
  }

  /** Reverts `addObjectNotify`. */
  removeObjectNotify(source: AnyNameOf<Ms>, object: ObjectId): void {
    this.#objects.remove(source, object)
  }

  /** Stops syncs, sends unsent writes for up to two seconds if the server was reachable, and closes the files. */
  close(): Promise<void> {
    return this.#lifetime.close()
  }

  /** The underlying device, for other APIs on top of it such as `hostDevice`. */
  get device(): Device {
    return this.#lifetime.parts.device
  }

  /** Returns the user, the sync state, and the numbers of changes that wait, were refused, or replaced values of others. */
  status(): SdkStatus {
    const { device, session, transport, runner } = this.#lifetime.parts
    return {
      userId: session.userId,
      userName: session.userName,
      clientId: session.clientId,
      loggedIn: session.token !== null,
      signIn: session.state,
      online: transport.isReachable,
      syncing: runner.isRunning,
      ...device.counts(),
    }
  }

  /**
   * Returns the running live queries, for tools. For the next ten seconds `events()` also reports requests, transactions and live queries; call it
   * again to extend that time.
   */
  trace(): readonly LiveQueryFacts[] {
    return this.#lifetime.parts.registry.live.trace.enable()
  }

  /** Runs several changes in one transaction, which is rolled back if `run` throws. */
  transaction<T>(run: () => T): T {
    return this.#lifetime.parts.device.transaction(run)
  }

  /** Returns the path of a blob's file on this device. Throws `value_not_allowed` if the platform stores no files. */
  blobPath(blob: BlobRef): string {
    return this.#lifetime.parts.device.pathOf(blob.hash)
  }

  /** Returns the refused changes that are not resolved yet. */
  refused<const Name extends string = NameOf<Ms>>(model?: Name): readonly RefusedChangeOf<Name, Ms>[] {
    const { device } = this.#lifetime.parts
    return device.refused(model).map(one => new RefusedChange(device, one) as RefusedChangeOf<Name, Ms>)
  }

  /** Returns the applied changes that replaced values which others had written and this device had not seen, until they are dismissed. */
  overwritten<const Name extends string = NameOf<Ms>>(model?: Name): readonly OverwrittenChange<Name>[] {
    const { device } = this.#lifetime.parts
    return device.overwritten(model).map(one => new OverwrittenChange(device, one) as OverwrittenChange<Name>)
  }

  /** Stores that the app wants a partition of a model with `by`, by the server's names. Typed models have their own `subscribe`. */
  subscribe(model: AnyNameOf<Ms>, parameters: PartitionParameters, options?: SubscribeOptions): Subscription {
    return subscriptionOn(this.#lifetime.parts.device, model, parameters, options)
  }

  /** Returns the partitions that the device wants: who asked for them, what they are doing, their size, and when they were last complete. */
  subscriptions(model?: AnyNameOf<Ms>): readonly SubscriptionInfo[] {
    return this.#lifetime.parts.device.subscriptions(model)
  }

  /** Returns the changes that the server has neither accepted nor refused yet, in order. */
  changes(model?: AnyNameOf<Ms>): readonly PendingChange[] {
    return this.#lifetime.parts.device.changes(model)
  }

  /** Returns the device's state as plain JSON: models, sources, undecided and refused changes. Includes attribute values only if requested. */
  debug(options?: DebugOptions): DeviceDump {
    const { registry, session } = this.#lifetime.parts
    return debug(registry, session, options)
  }

  /** Deletes all rows of the models in the partition `local` that do not sync. */
  databaseLocalReset(): void {
    resetLocal(this.#resetting())
  }

  /** Deletes all rows and undecided changes of the models that sync; the next sync loads the rows again. */
  databaseFullReset(): void {
    resetFull(this.#resetting())
  }

  /** Like `databaseFullReset`; the next sync also creates a new client. */
  databaseClientReset(): void {
    resetClient(this.#resetting())
  }

  #resetting() {
    const { database, registry, session } = this.#lifetime.parts
    return { database, models: registry, session }
  }
}
