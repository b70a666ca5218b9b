import type { Sdk } from '@godwit/model/driver'
import { type Attributes, isSyncError } from '@godwit/protocol'
import type { CollectionId } from '@godwit/store'
import { type Expectation, Expectations } from '../checks/expectations.js'
import { partitionFor } from '../world/partitions.js'
import type { SourcePlan } from '../world/plan.js'
import type { DeviceParts } from './device-parts.js'
import { Disk, type DiskProcess } from './disk.js'
import type { Edit } from './edit.js'
import { listenToEvents, type RefusalNotice } from './event-listener.js'
import { openApp } from './open-app.js'

/** A typed model with the attributes of a plan. */
export interface SimulatedModel {
  find(): readonly SimulatedRow[]
  create(attributes: Attributes): SimulatedRow
  createMany(all: readonly Attributes[]): readonly SimulatedRow[]
  update(id: string, changes: Attributes): SimulatedRow | undefined
  destroy(id: string): boolean
  destroyMany(conditions: { readonly id: { readonly in: readonly string[] } }): number
}
interface SimulatedRow {
  readonly id: string
}

/** A device: its disk, its current process, and the record of its app's edits. */
export class SimulatedDevice {
  readonly name: string
  readonly disk: Disk
  readonly edits: Edit[] = []
  readonly heardRefusals: RefusalNotice[] = []
  readonly #parts: DeviceParts
  readonly expectations = new Expectations()
  readonly #found = new Map<string, Set<string>>()
  #process: DiskProcess
  #syncBegan = 0
  /** The owner's user id on the server, which changes when the user is deleted and recreated. */
  #ownerId: string | null = null
  #sdk: Sdk
  /** The login of the owner of the data at the last check; null before the first login. */
  owner: string | null = null
  /** The login of the first user. */
  readonly wanted: string
  schemaVersion = 0
  /** All client ids that the device has had. */
  readonly clients = new Set<string>()
  /** Number of checksum mismatches that the device detected. */
  mismatches = 0
  /** Sources with damaged rows; their checksums mismatch until all rows are loaded again. */
  readonly damaged = new Set<string>()
  /** Whether its data was removed without the server's knowledge. */
  emptied = false
  /** Photos whose files were removed. */
  readonly lostPhotos = new Set<string>()
  /** The server's rows shown at the last check, by model. */
  readonly rowsDisplayed = new Map<string, ReadonlySet<string>>()
  /** Photos whose files existed at the last check, by model and object. */
  readonly photosDisplayed = new Map<string, ReadonlyMap<string, string>>()
  /** Number of running syncs and logins. */
  syncs = 0
  /** Whether something may have changed since the last check. */
  isTouched = true

  constructor(name: string, login: string, parts: DeviceParts) {
    this.name = name
    this.wanted = login
    this.#parts = parts
    this.disk = new Disk(parts.recordActivity, parts.clock)
    this.#process = this.disk.process()
    this.#sdk = this.#open()
  }

  get sdk(): Sdk {
    return this.#sdk
  }

  get isDead(): boolean {
    return this.#process.isDead
  }

  get process(): DiskProcess {
    return this.#process
  }

  model(name: string): SimulatedModel {
    return (this.#sdk.models as unknown as { [name: string]: SimulatedModel })[name] as SimulatedModel
  }

  /** Returns the collection of a source for an owner. */
  collection(source: string, owner = this.owner): CollectionId {
    const plan = this.#parts.plan.sources.find(({ name }) => name === source) as SourcePlan
    return { source, partition: partitionFor(plan, owner, this.#parts.teams) } as CollectionId
  }

  expectation(source: string): Expectation {
    return this.expectations.of(source)
  }

  /** Stops comparing a source's rows until a sync that begins later has completed: they may belong to another lineage. */
  invalidate(source: string): void {
    this.expectations.invalidate(source)
  }

  invalidateAll(): void {
    for (const { name } of this.#parts.plan.sources) this.invalidate(name)
    this.rowsDisplayed.clear()
    this.photosDisplayed.clear()
  }

  /** Records a change of the data's owner; the previous owner's undecided changes were discarded on request. */
  noticeOwner(): void {
    const { userName } = this.#sdk
    this.clients.add(this.#sdk.clientId() ?? '')
    const userId = this.#sdk.device.userId()
    if (userName === this.owner && userId === this.#ownerId) return
    if (this.owner !== null) this.discardAll()
    else for (const edit of this.edits) edit.owner = userName
    this.owner = userName
    this.#ownerId = userId
    this.invalidateAll()
  }

  /** Records that the app discarded all undecided changes. */
  discardAll(): void {
    for (const edit of this.edits) if (edit.status === 'pending') edit.status = 'discarded'
  }

  /** Kills the process if it is alive, and starts another one. */
  reopen(): void {
    if (this.isDead) this.#parts.count('devices killed')
    this.#process.kill()
    this.#process = this.disk.process()
    this.#sdk = this.#open()
    this.noticeOwner()
    this.invalidateAll()
  }

  /** Starts another process of the app on the same disk. */
  second(): { readonly sdk: Sdk; readonly process: DiskProcess } {
    const process = this.disk.process()
    return { process, sdk: openApp(this, process, this.#parts, `${this.name} (second process)`) }
  }

  async sync(source?: string): Promise<void> {
    const sdk = this.#sdk
    if (!sdk.isLoggedIn()) await this.#logIn(sdk)
    await sdk.sync(source)
  }

  /** Logs in; discards unsent changes of a deleted user of the same login, which cannot be sent. */
  async #logIn(sdk: Sdk): Promise<void> {
    const login = sdk.userName ?? this.wanted
    try {
      await sdk.login(login, 'secret')
    } catch (error) {
      if (!isSyncError(error) || error.code !== 'unsent_changes') throw error
      await sdk.login(login, 'secret', { discard: true })
    }
  }

  /** Returns the ids of all objects that its searches have found in a source. */
  found(source: string): Set<string> {
    const found = this.#found.get(source) ?? new Set<string>()
    this.#found.set(source, found)
    return found
  }

  beginSync(): void {
    this.expectations.begin()
    this.#syncBegan = this.#parts.clock()
  }

  /** Milliseconds since the last sync began. */
  get syncTook(): number {
    return this.#parts.clock() - this.#syncBegan
  }

  #open(): Sdk {
    const sdk = openApp(this, this.#process, this.#parts)
    // With automatic sync it is unknown when each sync began, so events do not make the rows comparable.
    const { plan, note } = this.#parts
    void listenToEvents(this, sdk, this.#process, { note, isReported: plan.automatic === undefined })
    return sdk
  }
}
