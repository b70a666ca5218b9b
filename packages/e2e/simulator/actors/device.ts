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

/** A typed model of whatever attributes a plan has. */
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

/** One device: a disk, the process on it, and what its app remembers of its edits. */
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
  /** By this its server knows the owner: a user who was deleted and comes back is another one. */
  #ownerId: string | null = null
  #sdk: Sdk
  /** Whom the data belongs to, as of the last look. */
  owner: string | null = null
  /** The first user. */
  readonly wanted: string
  schemaVersion = 0
  /** Every client id that it ever had. */
  readonly clients = new Set<string>()
  /** Mismatching checksums that the device noticed. */
  mismatches = 0
  /** Sources whose rows were damaged: their sums are wrong until all rows came again. */
  readonly damaged = new Set<string>()
  /** It was emptied without its server: what it had confirmed is gone. */
  emptied = false
  /** Photos whose files were taken from it. */
  readonly lostPhotos = new Set<string>()
  /** The server's rows that it showed when it was last looked at, by model. */
  readonly rowsShown = new Map<string, ReadonlySet<string>>()
  /** Photos whose files it had when it was last looked at, by model and object. */
  readonly photosShown = new Map<string, ReadonlyMap<string, string>>()
  /** Syncs and logins under way. */
  syncs = 0
  /** Something may have changed since the last look. */
  isTouched = true

  constructor(name: string, login: string, parts: DeviceParts) {
    this.name = name
    this.wanted = login
    this.#parts = parts
    this.disk = new Disk(parts.noteActivity, parts.clock)
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

  /** The collection that a source's rows come from. */
  collection(source: string, owner = this.owner): CollectionId {
    const plan = this.#parts.plan.sources.find(({ name }) => name === source) as SourcePlan
    return { source, partition: partitionFor(plan, owner, this.#parts.teams) } as CollectionId
  }

  expectation(source: string): Expectation {
    return this.expectations.of(source)
  }

  /** What is shown may belong to another past until a sync that begins from now on has brought the source up to date. */
  invalidate(source: string): void {
    this.expectations.invalidate(source)
  }

  invalidateAll(): void {
    for (const { name } of this.#parts.plan.sources) this.invalidate(name)
    this.rowsShown.clear()
    this.photosShown.clear()
  }

  /** Whose data is on it now? Of another user, what was undecided is gone: that was asked for. */
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

  /** The app threw away what is undecided. */
  discardAll(): void {
    for (const edit of this.edits) if (edit.status === 'pending') edit.status = 'discarded'
  }

  /** Restarts the process, whether it is dead or not. */
  reopen(): void {
    this.#process.kill()
    this.#process = this.disk.process()
    this.#sdk = this.#open()
    this.noticeOwner()
    this.invalidateAll()
  }

  /** One more process on the same disk, of the same app. */
  second(): { readonly sdk: Sdk; readonly process: DiskProcess } {
    const process = this.disk.process()
    return { process, sdk: openApp(this, process, this.#parts, `${this.name} (second process)`) }
  }

  async sync(source?: string): Promise<void> {
    const sdk = this.#sdk
    if (!sdk.isLoggedIn()) await this.#logIn(sdk)
    await sdk.sync(source)
  }

  /** Unsent changes of a deleted user cannot be sent: the next user of the login discards them. */
  async #logIn(sdk: Sdk): Promise<void> {
    const login = sdk.userName ?? this.wanted
    try {
      await sdk.login(login, 'secret')
    } catch (error) {
      if (!isSyncError(error) || error.code !== 'unsent_changes') throw error
      await sdk.login(login, 'secret', { discard: true })
    }
  }

  /** What its searches ever found. */
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
    // It is unknown which of its syncs began after what, so its rows stay incomparable.
    const { plan, note } = this.#parts
    void listenToEvents(this, sdk, this.#process, { note, isTold: plan.automatic === undefined })
    return sdk
  }
}
