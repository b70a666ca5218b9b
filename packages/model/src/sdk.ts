import type { ObjectId } from '@godwit/protocol'
import { type DebugOptions, type DeviceDump, debug } from './debug.js'
import type { BlobRef } from './definition/attribute-types.js'
import type { Device, PendingChange } from './device.js'
import type { LiveQueryFacts } from './live/trace.js'
import { createOrm, type Orm } from './orm/create-orm.js'
import { Accounts, type LoginOptions } from './sdk/accounts.js'
import type { AnyNameOf, NameOf, SdkParts } from './sdk/parts.js'
import { SdkLifetime } from './sdk/sdk-lifetime.js'
import { type BulkOptions, SyncControls, type SyncRequest } from './sdk/sync-controls.js'
import type { BulkSummary } from './sync/bulk.js'
import type { SdkEvent } from './sync/events.js'
import { type NotificationHandler, Notifications } from './sync/notifications.js'
import { type ObjectNotificationHandler, ObjectNotifications } from './sync/object-notifications.js'
import { resetClient, resetFull, resetLocal } from './sync/resets.js'
import type { SearchOptions, SearchSummary } from './sync/search.js'
import type { SyncSummary } from './sync/sync.js'
import type { TypedModels } from './typed/models.js'
import { RefusedChange, type RefusedChangeOf } from './typed/refused-change.js'
import { createSql, type Sql } from './typed/sql.js'

export interface SdkStatus {
  /** The server's id of the last user; null before the first login. */
  readonly userId: string | null
  readonly userName: string | null
  /** The id of this device at the server; null before any. */
  readonly clientId: string | null
  readonly loggedIn: boolean
  /** Whether the last request was answered; null before the first since the device was opened. */
  readonly online: boolean | null
  readonly syncing: boolean
  /** Changes that the server has not decided. */
  readonly waiting: number
  /** How many changes were refused and not handled yet. */
  readonly refused: number
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
  readonly #notifications: Notifications
  readonly #objects: ObjectNotifications

  constructor(parts: SdkParts<Ms>) {
    this.#lifetime = new SdkLifetime(parts)
    this.#accounts = new Accounts(this.#lifetime)
    this.#syncs = new SyncControls(this.#lifetime)
    this.#notifications = new Notifications(error => parts.registry.live.callbacks.threw(error))
    this.#objects = new ObjectNotifications((source, object) => parts.device.idOf(source, object))
    parts.events.listen(event => {
      this.#notifications.tell(event)
      this.#objects.tell(event)
    })
    this.models = parts.models
    this.sql = createSql(parts.device)
    const { NewORMModel, addModel, getModel } = createOrm(parts.device)
    this.NewORMModel = NewORMModel
    this.addModel = addModel
    this.getModel = getModel
  }

  /**
   * Opens a session; the first sync starts automatically in a later task. A different user replaces the former user's data, which needs `discard` if
   * there are undecided changes.
   */
  login(login: string, password: string, options?: LoginOptions): Promise<void> {
    return this.#accounts.login(login, password, options)
  }

  /** Ends the session, on the server too if it can be reached. Data stays. */
  logout(): Promise<void> {
    return this.#accounts.logout()
  }

  isLoggedIn(): boolean {
    return this.#lifetime.parts.session.token !== null
  }

  /** The login of the last user; null before the first. */
  get userName(): string | null {
    return this.#lifetime.parts.session.userName
  }

  /** The client id of this device; null before the first sync. */
  clientId(): string | null {
    return this.#lifetime.parts.device.clientId()
  }

  /**
   * Sends and fetches changes of some models, or of all in their order. Rejects only if it could not run (`logged_out`, `offline`, `device_locked`);
   * without parameters it joins a running first sync. `query` is passed to the query of each source, which then runs immediately.
   */
  sync(
    given?: AnyNameOf<Ms> | SyncRequest<Ms>,
    parameters?: { readonly [name: string]: string },
  ): Promise<SyncSummary<NameOf<Ms>>> {
    return this.#syncs.sync(given, parameters)
  }

  /**
   * Searches the backends for objects that this device does not have and adds the results to its rows, until the next search of the same source (one
   * with an offset adds to them) or until a sync delivers the row. Rejects if it could not run (`logged_out`, `offline`).
   */
  search(options: SearchOptions<NameOf<Ms>>): Promise<SearchSummary<NameOf<Ms>>> {
    return this.#syncs.search(options)
  }

  /** The same as `search`. The name distinguishes it from `find({ search })`, which searches this device. */
  searchBackends(options: SearchOptions<NameOf<Ms>>): Promise<SearchSummary<NameOf<Ms>>> {
    return this.#syncs.search(options)
  }

  /**
   * Loads whole sources as one file for each partition, which is faster than pulls for many rows and the only way for `bulk_only` models; then syncs
   * later changes. Undecided changes stay. Default: all models that sync. Rejects as `sync` does, and with `backend_failed`.
   */
  bulkSync(options?: BulkOptions<NameOf<Ms>>): Promise<BulkSummary> {
    return this.#syncs.bulkSync(options)
  }

  /** Stops a running sync between pages. Stored data stays; the next sync continues there. */
  async stopSync(): Promise<void> {
    await this.#lifetime.held(({ runner }) => runner.stop())
  }

  /** When a model's source last completed a pass, ISO 8601; '' before the first. */
  refreshTime(model: AnyNameOf<Ms>): string {
    return this.#lifetime.parts.device.refreshTime(model)
  }

  /** Number of objects that the last sync of a source, or of all, delivered or removed, including bulk data. */
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
   * Rows above which the first sync of an `app` source loads the rest as one file, if the server has made it; pages come meanwhile. Default 20,000;
   * Infinity: pages only.
   */
  get bulkThreshold(): number {
    return this.#syncs.bulkThreshold
  }

  set bulkThreshold(rows: number) {
    this.#syncs.bulkThreshold = rows
  }

  /** Seconds between automatic syncs while logged in. Default 60; 0 turns off automatic syncs, listening and sending. */
  get pollInterval(): number {
    return this.#syncs.pollInterval
  }

  set pollInterval(seconds: number) {
    this.#syncs.pollInterval = seconds
  }

  /** Events from now on, until the loop is left or the SDK is closed: `for await (const event of sdk.events())`. */
  events(): AsyncGenerator<SdkEvent<NameOf<Ms>>, void, void> {
    return this.#lifetime.parts.events.all() as AsyncGenerator<SdkEvent<NameOf<Ms>>, void, void>
  }

  /** Calls a function with notifications about syncs of one source, or of all with `*`. */
  setNotification(source: AnyNameOf<Ms> | '*', handler: NotificationHandler): void {
    this.#notifications.set(source, handler)
  }

  clearNotification(source: AnyNameOf<Ms> | '*'): void {
    this.#notifications.clear(source)
  }

  /** Calls a function with the objects that syncs add, change and remove: those of addObjectNotify, or all if there are none. */
  setObjectNotification(handler: ObjectNotificationHandler): void {
    this.#lifetime.parts.settings.watchesObjects = true
    this.#objects.set(handler)
  }

  clearObjectNotification(): void {
    this.#lifetime.parts.settings.watchesObjects = false
    this.#objects.set(undefined)
  }

  /** Adds an object to those that `setObjectNotification` reports. */
  addObjectNotify(source: AnyNameOf<Ms>, object: ObjectId): void {
    this.#objects.add(source, object)
  }

  removeObjectNotify(source: AnyNameOf<Ms>, object: ObjectId): void {
    this.#objects.remove(source, object)
  }

  /** Stops syncs, spends up to two seconds sending unsent writes if the server was reachable, and closes the files. */
  close(): Promise<void> {
    return this.#lifetime.close()
  }

  /** The device that the APIs share, for another one, such as a host of pages. */
  get device(): Device {
    return this.#lifetime.parts.device
  }

  /** The user, sync state and waiting changes of the device. */
  status(): SdkStatus {
    const { device, session, transport, runner } = this.#lifetime.parts
    return {
      userId: session.userId,
      userName: session.userName,
      clientId: session.clientId,
      loggedIn: session.token !== null,
      online: transport.isReachable,
      syncing: runner.isRunning,
      ...device.counts(),
    }
  }

  /**
   * For tools: returns the running live queries; for ten seconds `events()` also reports requests, transactions and live queries. Call it again to
   * continue.
   */
  trace(): readonly LiveQueryFacts[] {
    return this.#lifetime.parts.registry.live.trace.ask()
  }

  /** Runs several changes in one transaction. A throw rolls them back. */
  transaction<T>(run: () => T): T {
    return this.#lifetime.parts.device.transaction(run)
  }

  /** The path of the device's file for a blob in a row. Throws `value_not_allowed` if the platform stores no files. */
  blobPath(blob: BlobRef): string {
    return this.#lifetime.parts.device.pathOf(blob.hash)
  }

  /** Refused changes that were not handled yet. */
  refused<const Name extends string = NameOf<Ms>>(model?: Name): readonly RefusedChangeOf<Name, Ms>[] {
    const { device } = this.#lifetime.parts
    return device.refused(model).map(one => new RefusedChange(device, one) as RefusedChangeOf<Name, Ms>)
  }

  /** Changes that the server has not decided yet, in order. */
  changes(model?: AnyNameOf<Ms>): readonly PendingChange[] {
    return this.#lifetime.parts.device.changes(model)
  }

  /** The state of this device as plain JSON: models, sources, undecided and refused changes. Includes attribute values only if requested. */
  debug(options?: DebugOptions): DeviceDump {
    const { registry, session } = this.#lifetime.parts
    return debug(registry, session, options)
  }

  /** Empties the models of the partition `local` that do not sync. */
  databaseLocalReset(): void {
    resetLocal(this.#resetting())
  }

  /** Empties the models that sync, including undecided changes; the next sync loads them again. */
  databaseFullReset(): void {
    resetFull(this.#resetting())
  }

  /** Like databaseFullReset; the next sync also creates a new client. */
  databaseClientReset(): void {
    resetClient(this.#resetting())
  }

  #resetting() {
    const { database, registry, session } = this.#lifetime.parts
    return { database, models: registry, session }
  }
}
