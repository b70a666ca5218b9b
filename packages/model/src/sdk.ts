import { SyncError } from '@godwit/protocol'
import type { Database } from './database/database.js'
import type { Model, Models } from './database/models.js'
import { type DebugOptions, type DeviceDump, debug } from './debug.js'
import type { Change, Refusal } from './device.js'
import type { LocalDevice } from './local-device.js'
import { createOrm, type Orm } from './orm/create-orm.js'
import type { Events, SdkEvent } from './sync/events.js'
import { type NotificationHandler, Notifications } from './sync/notifications.js'
import { resetClient, resetFull, resetLocal } from './sync/resets.js'
import type { Runner } from './sync/runner.js'
import type { Session } from './sync/session.js'
import type { SyncSummary } from './sync/sync.js'
import type { Transport } from './sync/transport.js'
import type { ModelSpec } from './typed/define-model.js'
import type { TypedModel } from './typed/typed-model.js'

export interface ModelSpecs {
  // biome-ignore lint/suspicious/noExplicitAny: specs of any attributes; each keeps its own type by inference
  readonly [name: string]: ModelSpec<any>
}

export type TypedModels<Specs extends ModelSpecs> = {
  readonly [Name in keyof Specs]: Specs[Name] extends ModelSpec<infer Attributes> ? TypedModel<Attributes> : never
}

export interface SdkParts<Specs extends ModelSpecs> {
  readonly database: Database
  readonly registry: Models
  readonly device: LocalDevice
  readonly session: Session
  readonly transport: Transport
  readonly events: Events
  readonly runner: Runner
  readonly settings: { pageSize: number }
  readonly models: TypedModels<Specs>
}

const POLL_SECONDS = 60

/** An open device: its models, who uses it, and sync. */
export class Sdk<Specs extends ModelSpecs = Record<never, never>> {
  /** The typed models that were given at opening. */
  readonly models: TypedModels<Specs>
  /** The model class of the document. */
  readonly NewORMModel: Orm['NewORMModel']
  /** Defines a model of the document's kind and makes its tables. */
  readonly addModel: Orm['addModel']
  /** A model of the document's kind by name, or null. */
  readonly getModel: Orm['getModel']
  readonly #parts: SdkParts<Specs>
  readonly #notifications = new Notifications()
  readonly #counts = new Map<string, number>()
  #pollSeconds = POLL_SECONDS
  #closed = false

  constructor(parts: SdkParts<Specs>) {
    this.#parts = parts
    this.models = parts.models
    const { NewORMModel, addModel, getModel } = createOrm(parts.device)
    this.NewORMModel = NewORMModel
    this.addModel = addModel
    this.getModel = getModel
    parts.events.listen(event => {
      this.#notifications.tell(event)
      if (event.kind === 'progress') this.#counts.set(event.source, event.cumulative)
    })
    if (this.isLoggedIn()) this.#schedule()
  }

  /** Opens a session. Another user than before empties the user's partition; with undecided changes only if `discard` says so. */
  async login(
    login: string,
    password: string,
    { discard = false }: { readonly discard?: boolean } = {},
  ): Promise<void> {
    const { transport, session, runner, events } = this.#open()
    const answer = await transport.login(login, password)
    await runner.stop()
    session.begin(answer, { discard })
    events.emit({ kind: 'status', loggedIn: true, userName: session.userName })
    this.#schedule()
  }

  /** Ends the session, on the server too if it can be reached. Data stays. */
  async logout(): Promise<void> {
    const { transport, session, runner, events } = this.#open()
    await runner.stop()
    const { token } = session
    session.end()
    events.emit({ kind: 'status', loggedIn: false, userName: session.userName })
    if (token) await transport.logout({ session: token }).catch(() => {})
  }

  isLoggedIn(): boolean {
    return this.#open().session.token !== null
  }

  /** The login of the last user; null before the first. */
  get userName(): string | null {
    return this.#open().session.userName
  }

  /** Sends and fetches changes: of one source, or of all in their order. Rejects only when it could not be tried (`logged_out`, `offline`, `device_locked`). */
  async sync(source?: string, query: { readonly [name: string]: string } = {}): Promise<SyncSummary> {
    const { registry, runner } = this.#open()
    const synced = registry.all().filter(model => model.definition.syncType === 'incremental')
    const models = source === undefined ? synced : [this.#synced(synced, source)]
    for (const { name } of models) this.#counts.set(name, 0)
    return runner.run({ models, query })
  }

  /** Ends a running sync between pages. What is stored stays; the next one goes on there. */
  async stopSync(): Promise<void> {
    await this.#open().runner.stop()
  }

  /** `for await (const event of sdk.events())`: what happens from now on, until the loop is left or the SDK is closed. */
  events(): AsyncGenerator<SdkEvent, void, void> {
    return this.#open().events.all()
  }

  /** Hears of the syncs of one source, or of all with `*`. */
  setNotification(source: string, handler: NotificationHandler): void {
    this.#notifications.set(source, handler)
  }

  clearNotification(source: string): void {
    this.#notifications.clear(source)
  }

  /** Changes that the server did not take and nobody handled. */
  refused(model?: string): readonly Refusal[] {
    return this.#open().device.refused(model)
  }

  /** Changes that the server has not decided yet, in the order they were made. */
  changes(model?: string): readonly Change[] {
    return this.#open().device.changes(model)
  }

  /** Where this device stands, as plain JSON: models, sources, undecided and refused changes. Attribute values only if asked for. */
  debug(options?: DebugOptions): DeviceDump {
    const { registry, session } = this.#open()
    return debug(registry, session, options)
  }

  /** The client id of this device, null before any. */
  clientId(): string | null {
    return this.#open().device.clientId()
  }

  /** When a model's source last completed a pass, ISO 8601; '' before the first. */
  refreshTime(model: string): string {
    return this.#open().device.refreshTime(model)
  }

  /** Objects that the last sync of a source, or of all, brought or removed. */
  getLastSyncObjectCount(source?: string): number {
    if (source !== undefined) return this.#counts.get(source) ?? 0
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0)
  }

  /** Rows a page. Default 2000. */
  get pageSize(): number {
    return this.#parts.settings.pageSize
  }

  set pageSize(rows: number) {
    if (!Number.isInteger(rows) || rows < 1 || rows > 10_000)
      throw new SyncError('value_not_allowed', `pageSize: expected a whole number from 1 to 10000, got ${rows}.`)
    this.#parts.settings.pageSize = rows
  }

  /** Seconds between syncs while logged in. Default 60; 0: only when asked. */
  get pollInterval(): number {
    return this.#pollSeconds
  }

  set pollInterval(seconds: number) {
    this.#pollSeconds = seconds
    if (this.isLoggedIn()) this.#schedule()
  }

  /** All in one transaction: a throw undoes it. */
  transaction<T>(run: () => T): T {
    return this.#open().device.transaction(run)
  }

  /** Empties the models that sync with nothing. */
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

  /** Ends syncs and lets go of the files. */
  async close(): Promise<void> {
    if (this.#closed) return
    const { runner, events, database } = this.#parts
    this.#closed = true
    runner.poll(0, () => {})
    await runner.stop()
    events.close()
    database.close()
  }

  #resetting() {
    const { database, registry, session } = this.#open()
    return { database, models: registry, session }
  }

  #synced(models: readonly Model[], name: string): Model {
    const model = models.find(model => model.name === name)
    if (model) return model
    throw new SyncError(
      'model_unknown',
      `There is no model ${JSON.stringify(name)} that syncs: expected one of ${models.map(({ name }) => name).join(', ')}.`,
    )
  }

  #schedule(): void {
    this.#parts.runner.poll(this.#pollSeconds, () => {
      if (!this.#closed && this.#parts.session.token !== null) this.sync().catch(() => {})
    })
  }

  #open(): SdkParts<Specs> {
    if (this.#closed)
      throw new SyncError('sdk_closed', 'This SDK was closed: expected an open one. Open the device again.')
    return this.#parts
  }
}
