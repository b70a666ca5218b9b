import type { AttributeSpecs, TypedModel } from '@godwit/model'
import { openSdkOn, type Sdk } from '@godwit/model/driver'
import type { Attributes } from '@godwit/protocol'
import type { CollectionId } from '@godwit/store'
import type { Dice } from './dice.js'
import { Disk, type DiskProcess } from './disk.js'
import type { Edit } from './edit.js'
import { modelOf } from './models.js'
import type { Network } from './network.js'
import type { Plan } from './plan.js'

export interface DeviceParts {
  readonly plan: Plan
  readonly network: Network
  readonly clock: () => number
  /** Ids and keys. */
  readonly ids: Dice
  readonly note: (text: string) => void
  readonly stir: () => void
}

export type Model = TypedModel<AttributeSpecs>

/** What the simulation knows about one source on one device. */
export interface Sight {
  /** The lowest version at which each object may show from now on. */
  readonly versions: Map<string, number>
  /** The beginning of the last thing that made what is shown incomparable; compared with the beginnings of syncs. */
  loosened: number
  isLoose: boolean
  /** The same of what made it begin anew, but for what the device itself found. */
  emptied: number
  /** A sync that began after that said that it is up to date. */
  isTold: boolean
}

/** A refusal as the app heard it. */
export interface Told {
  readonly status: string
  readonly model: string
  readonly object: string
  readonly operation: string
  readonly attributes: Attributes
}

/** One device: a disk, the process on it, and what its app remembers of its own doings. */
export class Device {
  readonly name: string
  readonly disk: Disk
  readonly edits: Edit[] = []
  readonly told: Told[] = []
  readonly #parts: DeviceParts
  readonly #sights = new Map<string, Sight>()
  #process: DiskProcess
  #sdk: Sdk
  #count = 0
  /** Whom the data belongs to, as of the last look. */
  owner: string | null = null
  /** The first user. */
  readonly wanted: string
  schemaVersion = 0
  /** Every client id that it ever had. */
  readonly clients = new Set<string>()
  /** Mismatching checksums that the device noticed. */
  mismatches = 0
  /** Sources whose rows were damaged: their sums are wrong until everything came anew. */
  readonly damaged = new Set<string>()
  /** Syncs and logins under way. */
  syncs = 0
  /** Something may have changed since the last look. */
  isTouched = true

  constructor(name: string, login: string, parts: DeviceParts) {
    this.name = name
    this.wanted = login
    this.#parts = parts
    this.disk = new Disk(parts.stir)
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

  model(name: string): Model {
    return (this.#sdk.models as { [name: string]: Model })[name] as Model
  }

  /** The collection that a source's rows come from. */
  collection(source: string, owner = this.owner): CollectionId {
    const { partition } = this.#parts.plan.sources.find(({ name }) => name === source) as { partition: string }
    return { source, partition: partition === 'app' ? '*' : `user:${owner}` }
  }

  sight(source: string): Sight {
    const sight = this.#sights.get(source) ?? {
      versions: new Map(),
      loosened: 0,
      isLoose: true,
      emptied: 0,
      isTold: false,
    }
    this.#sights.set(source, sight)
    return sight
  }

  /** What is shown may belong to another past until a sync that begins from now on has brought the source up to date. */
  loosen(source: string): void {
    this.#loosen(source)
    Object.assign(this.sight(source), { emptied: this.#count, isTold: false })
  }

  #loosen(source: string): void {
    const sight = this.sight(source)
    sight.isLoose = true
    sight.loosened = ++this.#count
    sight.versions.clear()
  }

  loosenAll(): void {
    for (const { name } of this.#parts.plan.sources) this.loosen(name)
  }

  /** Whose data is on it now? Of another user, what was undecided is gone: that was asked for. */
  noticeOwner(): void {
    const { userName } = this.#sdk
    this.clients.add(this.#sdk.clientId() ?? '')
    if (userName === this.owner) return
    if (this.owner !== null) this.discardAll()
    else for (const edit of this.edits) edit.owner = userName
    this.owner = userName
    this.loosenAll()
  }

  /** The app threw away what is undecided. */
  discardAll(): void {
    for (const edit of this.edits) if (edit.fate === 'pending') edit.fate = 'discarded'
  }

  /** Starts the process anew, if it is dead or not. */
  reopen(): void {
    this.#process.kill()
    this.#process = this.disk.process()
    this.#sdk = this.#open()
    this.noticeOwner()
    this.loosenAll()
  }

  /** One more process on the same disk, of the same app. */
  second(): { readonly sdk: Sdk; readonly process: DiskProcess } {
    const process = this.disk.process()
    return { process, sdk: this.#openOn(process, `${this.name} (second process)`) }
  }

  async sync(source?: string): Promise<void> {
    const sdk = this.#sdk
    if (!sdk.isLoggedIn()) await sdk.login(sdk.userName ?? this.wanted, 'secret')
    await sdk.sync(source)
  }

  /** Who begins a sync, to be compared with what happens meanwhile. */
  #begun = 0

  /** Milliseconds since 1970 at which the last sync began. */
  syncBegan = 0

  beginSync(): void {
    this.#begun = ++this.#count
    this.syncBegan = this.#parts.clock()
  }

  #open(): Sdk {
    const sdk = this.#openOn(this.#process, this.name)
    this.#listen(sdk, this.#process)
    return sdk
  }

  #openOn(process: DiskProcess, name: string): Sdk {
    const { plan, network, clock, ids } = this.#parts
    const models = Object.fromEntries(plan.sources.map(source => [source.name, modelOf(source, this.schemaVersion)]))
    const sdk = openSdkOn(process.drive, {
      server: 'http://sync.test',
      fetch: network.fetchOf({
        name,
        get isDead() {
          return process.isDead
        },
        touch: () => {
          this.isTouched = true
        },
      }),
      clock,
      random: bytes => ids.fill(bytes),
      timeoutMilliseconds: 60_000,
      models,
    })
    sdk.pollInterval = 0
    return sdk as unknown as Sdk
  }

  async #listen(sdk: Sdk, process: DiskProcess): Promise<void> {
    for await (const event of sdk.events()) {
      if (process.isDead) return
      if (event.kind === 'resync') {
        this.#parts.note(`    ${this.name}: resync of ${event.source} (${event.reason})`)
        if (event.reason === 'checksum' && !this.damaged.has(event.source)) this.mismatches++
        this.#loosen(event.source)
      } else if (event.kind === 'repaired') {
        this.#parts.note(`    ${this.name}: repair of ${event.source} (${event.rows} rows)`)
        if (!this.damaged.delete(event.source)) this.mismatches++
        this.#loosen(event.source)
      } else if (event.kind === 'refused' || event.kind === 'conflict') {
        const { status, model, object, operation, attributes } = event
        this.told.push({ status, model, object, operation, attributes })
        this.#parts.note(
          `    ${this.name}: ${operation} of ${model} ${object} is ${status} ${JSON.stringify(attributes)}`,
        )
      } else if (event.kind === 'source') {
        const sight = this.sight(event.source)
        if (sight.loosened < this.#begun) sight.isLoose = false
        if (sight.emptied < this.#begun) sight.isTold = true
      }
    }
  }
}
