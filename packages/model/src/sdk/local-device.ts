import { isPartitionParameters, type ObjectId, type PartitionParameters, SyncError } from '@godwit/protocol'
import { keepBytes } from '../blobs/store-bytes.js'
import type { DeviceDatabase } from '../database/database.js'
import type { OpenModel, OpenModels } from '../database/open-models.js'
import { writeDefinition } from '../database/stored-definition.js'
import { fileOf } from '../definition/blob-names.js'
import type { Definition } from '../definition/definition.js'
import { isHash } from '../definition/number-text.js'
import type { Overwritten, PendingChange, Refusal, RefusalRef } from '../definition/reported-changes.js'
import { callSafely, throwUncaught } from '../live/call-safely.js'
import { idNow } from '../outbox/linked-ids.js'
import type { DeviceFiles } from '../platform/device-files.js'
import type { SqlRow } from '../platform/driver.js'
import type { Timers } from '../platform/timers.js'
import { adopt } from '../records/adopt.js'
import type { CallRecords } from '../records/call-records.js'
import type { Device, DeviceCounts, ModelDraft } from '../records/device-interface.js'
import { ModelRecords } from '../records/model-records.js'
import { engineOf, type RecordEngine } from '../records/record-engine.js'
import type { Records } from '../records/records.js'
import { type RefusalAction, resolveRefusal } from '../records/resolve-refusal.js'
import { runMigration } from '../records/run-migration.js'
import type { Select } from '../records/select.js'
import { observeSelect, selectAll } from '../records/select-rows.js'
import type { Session } from '../run/device-session.js'
import { whenReady } from '../subscriptions/ready.js'
import { partitionOf, type SubscribeOptions, subscribe, unsubscribe } from '../subscriptions/subscribe.js'
import {
  type SubscriptionInfo,
  type SubscriptionState,
  subscriptionState,
  subscriptionsOf,
} from '../subscriptions/subscription-list.js'

export interface LocalDeviceParts {
  readonly database: DeviceDatabase
  readonly models: OpenModels
  readonly session: Session
  readonly newId: () => string
  /** Undefined on platforms without file storage. */
  readonly files: DeviceFiles | undefined
  readonly calls: CallRecords
  /** Called with each model that begins to sync. */
  readonly made: (model: OpenModel) => void
  /** Sends undecided changes of a model; never rejects. */
  readonly pushChanges: (model: OpenModel) => Promise<void>
  /** Syncs a model; rejects if it could not be synced. */
  readonly syncModel: (model: OpenModel) => Promise<void>
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly timers: Timers
  /** Whether the last request was answered; null before the first. */
  readonly isReachable: () => boolean | null
}

/** The device of this process: its models, transactions, refusals and files. */
export class LocalDevice implements Device {
  readonly #parts: LocalDeviceParts
  readonly #records = new Map<string, ModelRecords>()
  readonly #handlers = new Map<string, (refusal: Refusal) => void>()
  readonly #drafts = new Set<ModelDraft>()
  /** Refusals listed when the device was opened that no handler has received yet. */
  readonly #unreported: Set<string>
  #committed: (() => void) | undefined

  constructor(parts: LocalDeviceParts) {
    this.#parts = parts
    parts.database.listen({ committed: () => this.#committed?.(), rolledBack() {} })
    this.#unreported = new Set(this.refused().map(keyOf))
  }

  define(definition: Definition): Records {
    const known = this.#records.get(definition.name)?.definition
    if (known?.typed && writeDefinition(known) !== writeDefinition(definition)) throw definedAlreadyError(definition)
    const { database, models, newId, files, made } = this.#parts
    const wasSynced = models.get(definition.name)?.synced ?? false
    const records = database.transaction(() => {
      const { model, before, old } = models.define(definition)
      const engine = engineOf({ database, models, model, newId, files })
      if (before) adopt(database, models, model, before)
      if (before && old) runMigration(engine, before, old)
      old?.drop()
      return this.#recordsOf(engine)
    })
    const model = models.get(definition.name)
    if (model?.synced && !wasSynced) made(model)
    return records
  }

  drafted(draft: ModelDraft): void {
    this.#drafts.add(draft)
  }

  /** Defines models that were declared to sync and not used yet. */
  defineDrafts(): void {
    for (const draft of this.#drafts) {
      if (draft.isLoaded) this.#drafts.delete(draft)
      else if (draft.definition.syncType !== 'none') draft.ready()
    }
  }

  find(name: string): Records | undefined {
    return this.#records.get(name)
  }

  /** Returns the current id of an object: for a temporary id, the real one once the server has assigned it. */
  idOf(name: string, object: ObjectId): ObjectId {
    const model = this.#parts.models.get(name)
    return model ? idNow([model], object) : object
  }

  names(): readonly string[] {
    return [...this.#records.keys()]
  }

  transaction<T>(run: () => T): T {
    return this.#parts.database.transaction(run)
  }

  onRollback(undo: () => void): void {
    this.#parts.database.onRollback(undo)
  }

  select(select: Select): readonly SqlRow[] {
    return selectAll(this.#parts, select)
  }

  observeSelect(...given: Parameters<Device['observeSelect']>): () => void {
    return observeSelect(this.#parts, ...given)
  }

  /** Returns the path of a blob's file. */
  pathOf(hash: string): string {
    const path = isHash(hash) ? this.#parts.files?.path(fileOf(hash)) : undefined
    if (path !== undefined) return path
    const problem = 'expected the hash that a row shows, on a platform with file storage'
    throw new SyncError('value_not_allowed', `blobPath: ${problem}, got ${JSON.stringify(hash)}.`)
  }

  subscribe(name: string, parameters: PartitionParameters, options?: SubscribeOptions): void {
    const { database, models, made } = this.#parts
    const model = this.#partitioned(name, parameters)
    database.durable(() => subscribe(models, model, parameters, options))
    made(model)
  }

  /** The first subscription of an untyped model names the attributes of its partitions. */
  #partitioned(name: string, parameters: PartitionParameters): OpenModel {
    const { definition } = this.#model(name)
    if (
      !definition.by &&
      !definition.typed &&
      isPartitionParameters(parameters) &&
      definition.syncType === 'incremental'
    )
      this.define({ ...definition, by: Object.keys(parameters).sort() })
    return this.#model(name)
  }

  unsubscribe(name: string, parameters: PartitionParameters): void {
    const { database, models, now } = this.#parts
    const model = this.#model(name)
    database.durable(() => unsubscribe(models, model, parameters, now()))
  }

  subscriptionState(name: string, parameters: PartitionParameters): SubscriptionState {
    const { models, isReachable } = this.#parts
    const model = this.#model(name)
    return subscriptionState(model, partitionOf(models, model, parameters), isReachable() !== false)
  }

  subscriptions(name?: string): readonly SubscriptionInfo[] {
    const { models, now, isReachable } = this.#parts
    const all = name === undefined ? models.all() : [this.#model(name)]
    const facts = { now: now(), isOnline: isReachable() !== false }
    return all.filter(({ definition }) => definition.by).flatMap(model => subscriptionsOf(model, facts))
  }

  whenReady(name: string, parameters: PartitionParameters, timeout: number): Promise<boolean> {
    const { models, timers, syncModel } = this.#parts
    const model = this.#model(name)
    const partition = partitionOf(models, model, parameters)
    return whenReady({ model, partition, sync: () => syncModel(model), timers, timeout })
  }

  async pushChanges(name: string): Promise<void> {
    const model = this.#model(name)
    if (model.synced) await this.#parts.pushChanges(model)
  }

  clientId(): string | null {
    return this.#parts.session.clientId
  }

  refreshTime(name: string): string {
    this.#parts.database.checkOpen()
    return this.#model(name).state.get().refreshed
  }

  staleSince(name: string): string | null {
    const { scope } = this.#model(name)
    return scope.sources.get(name).staleSince
  }

  refused(name?: string): readonly Refusal[] {
    const all = this.#parts.models.allScopes().flatMap(({ refusals }) => refusals.list())
    return name === undefined ? all : all.filter(({ model }) => model === name)
  }

  onThrown(hear: ((error: unknown) => void) | undefined): void {
    this.#parts.models.live.callbacks.threw = hear ?? throwUncaught
  }

  onCommitted(hear: (() => void) | undefined): void {
    this.#committed = hear
  }

  keepBytes(bytes: Uint8Array): Promise<string> {
    return keepBytes(this.#parts.files, bytes, this.#parts.newId())
  }

  get calls(): CallRecords {
    return this.#parts.calls
  }

  userId(): string | null {
    return this.#parts.session.userId
  }

  counts(): DeviceCounts {
    const scopes = this.#parts.models.allScopes()
    const sum = (count: (one: (typeof scopes)[number]) => number) => scopes.reduce((all, one) => all + count(one), 0)
    return {
      waiting: sum(({ outbox }) => outbox.count()),
      refused: sum(({ refusals }) => refusals.count()),
      overwritten: sum(({ overwritten }) => overwritten.count()),
      staleSince: scopes.flatMap(({ sources }) => sources.staleSince() ?? []).sort()[0] ?? null,
    }
  }

  changes(name?: string): readonly PendingChange[] {
    const entries = this.#parts.models.allScopes().flatMap(({ outbox }) => outbox.all())
    return entries
      .filter(({ model }) => name === undefined || model === name)
      .sort((a, b) => a.entry - b.entry)
      .map(({ model, object, operation, attributes, state }) => ({
        model,
        object,
        operation,
        attributes,
        state: state === 'doubt' ? 'in_doubt' : state === 'unsent' ? 'unsent' : 'sent',
      }))
  }

  resolveRefusal(refusal: RefusalRef, action: RefusalAction): void {
    const records = this.#records.get(this.#model(refusal.model).name)
    if (records) this.transaction(() => resolveRefusal(this.#parts.models, records, refusal, action))
  }

  dismissRefusal({ id, model }: Pick<Refusal, 'id' | 'model'>): void {
    for (const { refusals } of this.#parts.models.allScopes())
      if (refusals.list().some(one => one.id === id && one.model === model)) refusals.remove(id)
  }

  overwritten(name?: string): readonly Overwritten[] {
    const all = this.#parts.models.allScopes().flatMap(({ overwritten }) => overwritten.list())
    return name === undefined ? all : all.filter(({ model }) => model === name)
  }

  dismissOverwritten({ id, model }: Pick<Overwritten, 'id' | 'model'>): void {
    for (const { overwritten } of this.#parts.models.allScopes()) overwritten.remove(id, model)
  }

  onRefused(name: string, handler: ((refusal: Refusal) => void) | undefined): void {
    if (handler) this.#handlers.set(name, handler)
    else this.#handlers.delete(name)
    // In a microtask, so that setting a handler does not call it synchronously.
    if (handler && this.#unreported.size > 0) queueMicrotask(() => this.#reportUnreported(name))
  }

  /** Calls the model's handler. If it does not resolve the refusal, the change stays rolled back and listed. */
  reportRefused(refusal: Refusal): void {
    this.#handlers.get(refusal.model)?.(refusal)
  }

  /** Calls handlers for refusals listed at opening, because the previous process may have ended before its handler received them. */
  #reportUnreported(name: string): void {
    const { callbacks } = this.#parts.models.live
    for (const refusal of this.#parts.database.isOpen ? this.refused(name) : [])
      if (this.#unreported.delete(keyOf(refusal)))
        callbacks.run(() => callSafely(() => this.reportRefused(refusal), callbacks.threw))
  }

  /** Returns the model's records on the given engine. A rollback of the open transaction restores the former engine. */
  #recordsOf(engine: RecordEngine): ModelRecords {
    const { name } = engine.model
    const known = this.#records.get(name)
    const before = known?.redefine(engine)
    const records = known ?? new ModelRecords(engine)
    this.#records.set(name, records)
    this.onRollback(() => {
      if (before) records.redefine(before)
      else this.#records.delete(name)
    })
    return records
  }

  #model(name: string): OpenModel {
    const model = this.#parts.models.get(name)
    if (model) return model
    throw new SyncError(
      'model_unknown',
      `There is no model ${JSON.stringify(name)}: expected one of ${this.names().join(', ') || 'none, as none is defined'}.`,
    )
  }
}

const keyOf = ({ model, id }: Refusal): string => `${id} ${model}`

const definedAlreadyError = ({ name }: Definition): SyncError =>
  new SyncError(
    'definition_invalid',
    `${name} is a typed model of openSdk: expected its own definition, got another one. Change it in defineModel.`,
  )
