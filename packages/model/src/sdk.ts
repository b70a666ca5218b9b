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
  /** The last request was answered; null while none was tried since the device was opened. */
  readonly online: boolean | null
  readonly syncing: boolean
  /** Changes that the server has not decided. */
  readonly waiting: number
  /** How many changes were refused and not handled yet. */
  readonly refused: number
}

/** An open device: its models, who uses it, sync, and what it does not know to be decided. */
export class Sdk<Ms = Record<never, never>> {
  /** The typed models that were given at opening. */
  readonly models: TypedModels<Ms>
  /** SELECTs over the models, read-only and live. */
  readonly sql: Sql
  /** The model class of the document. */
  readonly NewORMModel: Orm['NewORMModel']
  /** Defines a model of the document's kind and makes its tables. */
  readonly addModel: Orm['addModel']
  /** A model of the document's kind by name, or null. */
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

  /** Opens a session; the first sync begins by itself in a later task. Another user than before empties the user's partition; with undecided changes only if `discard` says so. */
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

  /** The client id of this device, null before any. */
  clientId(): string | null {
    return this.#lifetime.parts.device.clientId()
  }

  /**
   * Sends and fetches changes: of some models or one source, or of all in their order. Rejects only when it could not be tried (`logged_out`, `offline`, `device_locked`).
   * Without parameters, while the first sync after a login or an opening is under way, it is that one.
   * `query` reaches the query of each source, which then runs at once, due or not.
   */
  sync(
    given?: AnyNameOf<Ms> | SyncRequest<Ms>,
    parameters?: { readonly [name: string]: string },
  ): Promise<SyncSummary<NameOf<Ms>>> {
    return this.#syncs.sync(given, parameters)
  }

  /**
   * Asks backends for what this device does not have, and puts what they find among its rows: until the next search of the same source (one with an
   * offset adds to them), or until a sync brings the row. Rejects when it could not be tried (`logged_out`, `offline`).
   */
  search(options: SearchOptions<NameOf<Ms>>): Promise<SearchSummary<NameOf<Ms>>> {
    return this.#syncs.search(options)
  }

  /** The same as `search`: beside `find({ search })`, which looks in the rows of this device. */
  searchBackends(options: SearchOptions<NameOf<Ms>>): Promise<SearchSummary<NameOf<Ms>>> {
    return this.#syncs.search(options)
  }

  /**
   * Loads whole sources as one file for each partition, which for many rows is faster than pulls, and the only way for `bulk_only` models; then syncs what came after.
   * What is here and undecided stays laid over. Default: all models that sync. Rejects as `sync` does, and with what the server cannot make (`backend_failed`).
   */
  bulkSync(options?: BulkOptions<NameOf<Ms>>): Promise<BulkSummary> {
    return this.#syncs.bulkSync(options)
  }

  /** Ends a running sync between pages. What is stored stays; the next one goes on there. */
  async stopSync(): Promise<void> {
    await this.#lifetime.held(({ runner }) => runner.stop())
  }

  /** When a model's source last completed a pass, ISO 8601; '' before the first. */
  refreshTime(model: AnyNameOf<Ms>): string {
    return this.#lifetime.parts.device.refreshTime(model)
  }

  /** Objects that the last sync of a source, or of all, brought or removed; after bulk data those of its file too. */
  getLastSyncObjectCount(source?: AnyNameOf<Ms>): number {
    return this.#syncs.objectCount(source)
  }

  /** Rows a page. Default 2000. */
  get pageSize(): number {
    return this.#syncs.pageSize
  }

  set pageSize(rows: number) {
    this.#syncs.pageSize = rows
  }

  /** Seconds between syncs while logged in, and whether the device listens to the server and sends what the app writes. Default 60; 0: nothing leaves unless asked. */
  get pollInterval(): number {
    return this.#syncs.pollInterval
  }

  set pollInterval(seconds: number) {
    this.#syncs.pollInterval = seconds
  }

  /** `for await (const event of sdk.events())`: what happens from now on, until the loop is left or the SDK is closed. */
  events(): AsyncGenerator<SdkEvent<NameOf<Ms>>, void, void> {
    return this.#lifetime.parts.events.all() as AsyncGenerator<SdkEvent<NameOf<Ms>>, void, void>
  }

  /** Calls a function about the syncs of one source, or of all with `*`. */
  setNotification(source: AnyNameOf<Ms> | '*', handler: NotificationHandler): void {
    this.#notifications.set(source, handler)
  }

  clearNotification(source: AnyNameOf<Ms> | '*'): void {
    this.#notifications.clear(source)
  }

  /** Calls a function with the objects that syncs bring, change and remove: those of addObjectNotify; without any, all. */
  setObjectNotification(handler: ObjectNotificationHandler): void {
    this.#lifetime.parts.settings.watchesObjects = true
    this.#objects.set(handler)
  }

  clearObjectNotification(): void {
    this.#lifetime.parts.settings.watchesObjects = false
    this.#objects.set(undefined)
  }

  /** Asks about one object of a source. */
  addObjectNotify(source: AnyNameOf<Ms>, object: ObjectId): void {
    this.#objects.add(source, object)
  }

  removeObjectNotify(source: AnyNameOf<Ms>, object: ObjectId): void {
    this.#objects.remove(source, object)
  }

  /** Ends syncs, sends for at most two seconds what the app wrote, if the server was there just now, and lets go of the files. */
  close(): Promise<void> {
    return this.#lifetime.close()
  }

  /** What the faces are made of: for another one, such as a host of pages. */
  get device(): Device {
    return this.#lifetime.parts.device
  }

  /** Who uses the device, whether it syncs, and what waits. */
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

  /** For tools: returns the live queries that run, and tells in `events()` for ten seconds of requests, transactions and what live queries ask. Call it again to go on. */
  trace(): readonly LiveQueryFacts[] {
    return this.#lifetime.parts.registry.live.trace.ask()
  }

  /** All in one transaction: a throw undoes it. */
  transaction<T>(run: () => T): T {
    return this.#lifetime.parts.device.transaction(run)
  }

  /** The path of the device's copy of a file that a row shows. Throws `value_not_allowed` where the platform keeps no files. */
  blobPath(blob: BlobRef): string {
    return this.#lifetime.parts.device.pathOf(blob.hash)
  }

  /** Changes that were refused and not handled yet. */
  refused<const Name extends string = NameOf<Ms>>(model?: Name): readonly RefusedChangeOf<Name, Ms>[] {
    const { device } = this.#lifetime.parts
    return device.refused(model).map(one => new RefusedChange(device, one) as RefusedChangeOf<Name, Ms>)
  }

  /** Changes that the server has not decided yet, in the order they were made. */
  changes(model?: AnyNameOf<Ms>): readonly PendingChange[] {
    return this.#lifetime.parts.device.changes(model)
  }

  /** Where this device stands, as plain JSON: models, sources, undecided and refused changes. Attribute values only if asked for. */
  debug(options?: DebugOptions): DeviceDump {
    const { registry, session } = this.#lifetime.parts
    return debug(registry, session, options)
  }

  /** Empties the models of the partition `local`, which sync with nothing. */
  databaseLocalReset(): void {
    resetLocal(this.#resetting())
  }

  /** Empties the models that sync, undecided changes included; the next sync loads them again. */
  databaseFullReset(): void {
    resetFull(this.#resetting())
  }

  /** As databaseFullReset, and the next sync makes a new client. */
  databaseClientReset(): void {
    resetClient(this.#resetting())
  }

  #resetting() {
    const { database, registry, session } = this.#lifetime.parts
    return { database, models: registry, session }
  }
}
