import type { CollectionId } from '@godwit/store'
import { Backend } from '../actors/backend.js'
import { SimulatedDevice } from '../actors/device.js'
import type { DeviceParts } from '../actors/device-parts.js'
import { ForeignDevice } from '../actors/foreign-device.js'
import { Servers } from '../actors/servers.js'
import type { DeviceView } from '../checks/device-view.js'
import { Observations } from '../checks/observations.js'
import { Returns } from '../checks/returns.js'
import { Violation } from '../checks/violation.js'
import { pass, run } from './advance.js'
import { backendEnvironmentOf, NO_TROUBLES } from './backend-outcomes.js'
import type { Counted, Counts } from './counts.js'
import { Dice } from './dice.js'
import type { Machine } from './machine.js'
import { Network } from './network.js'
import { partitionFor, TEAMS, type Teams } from './partitions.js'
import { Photos } from './photos.js'
import { LOGINS, type Plan, type Troubles } from './plan.js'
import { Scheduler } from './scheduler.js'
import type { StoreCopy, StoreDisk } from './store-disk.js'
import { Tasks } from './tasks.js'
import type { VirtualTime } from './virtual-time.js'

/** Number of objects in a large collection: enough that losing most of them is detected. */
const CROWD = 120

/** The state of one history: devices, servers, backends, network, time, and the recorded observations. */
export class SimulatedWorld {
  readonly plan: Plan
  readonly time: VirtualTime
  readonly scheduler = new Scheduler()
  readonly observations = new Observations()
  readonly backends: ReadonlyMap<string, Backend>
  readonly storeDisk: StoreDisk
  readonly servers: Servers
  readonly network: Network
  readonly devices: readonly SimulatedDevice[]
  /** Used if the plan has quotas. */
  readonly foreign = new ForeignDevice()
  readonly trace: string[] = []
  /** Shared by all histories of the process. */
  readonly counts: Counts
  readonly photos = new Photos()
  /** The last view of each app process, with the change count of its disk at that time. */
  readonly views = new WeakMap<SimulatedDevice['sdk'], { readonly at: number; readonly views: readonly DeviceView[] }>()
  /** Both users start in one team. */
  readonly teams: Teams = new Map(LOGINS.map(login => [login, TEAMS[0]]))
  /** The smallest photo size limit, in bytes, that servers have had so far. */
  leastPhoto = Number.POSITIVE_INFINITY
  /** The dice of the current step. */
  dice: Dice
  troubles: Troubles
  readonly #tasks = new Tasks(this)
  /** Keys decided by an operator. */
  readonly operated = new Set<string>()
  /** Poll intervals changed by an administrator, by source; undefined while processes may differ. */
  readonly intervals = new Map<string, number | undefined>()
  /** The last copy of the store. */
  copy: StoreCopy | undefined
  #values = 0
  #isOpen = false
  #violation: Violation | undefined

  constructor(plan: Plan, seed: number, { time, counts, storeDisks }: Machine) {
    const ids = new Dice(seed ^ 0x5eed)
    const count = (name: Counted): void => counts.add(name)
    this.plan = plan
    this.time = time
    this.counts = counts
    this.dice = new Dice(seed)
    this.troubles = plan.troubles
    this.backends = new Map(
      plan.sources.map(source => [
        source.name,
        new Backend(source, backendEnvironmentOf(this), login => this.teams.get(login)),
      ]),
    )
    const options = { clock: time.now, randomId: () => ids.id() }
    this.storeDisk = storeDisks[plan.store]({ ...options, scheduler: this.scheduler })
    this.servers = new Servers({
      storeDisk: this.storeDisk,
      scheduler: this.scheduler,
      ...options,
      sources: () => [...this.backends.values()].map(backend => backend.source()),
      processes: plan.servers,
      limits: plan.limits ?? {},
      isSlow: () => this.#isOpen && plan.slowStore && this.dice.chance(0.3),
      onCrash: () => {
        counts.add('servers killed')
        this.observations.forgetQueries()
      },
      expect: (name, given) => this.observations.expect(name, given),
      observe: (name, given, result) => this.observations.observe(this.servers.store, name, given, result),
      note: text => this.note(text),
    })
    this.network = new Network({
      scheduler: this.scheduler,
      servers: this.servers,
      dice: () => this.dice,
      troubles: () => this.troubles,
      count,
    })
    const parts: DeviceParts = {
      plan,
      teams: this.teams,
      network: this.network,
      clock: time.now,
      ids,
      note: text => this.note(text),
      count,
      recordActivity: () => this.scheduler.recordActivity(),
    }
    this.devices = plan.devices.map((login, at) => new SimulatedDevice(`device ${at + 1}`, login, parts))
    if (plan.crowd) this.#fillCrowd(this.backend('Notice'))
    this.observations.violated = this.violated
    this.observations.note = text => this.note(text)
    const returns = new Returns(source => this.backend(source))
    this.observations.onRemoved = returns.recordRemoved
    this.observations.onReturned = (collection, object) => returns.check(this, collection, object)
    this.observations.onLineage = collection => {
      this.note(`    ${collection.source} ${collection.partition} has another past`)
      for (const device of this.devices) device.invalidate(collection.source)
    }
  }

  #fillCrowd(crowd: Backend): void {
    for (let left = CROWD; left > 0; left--) crowd.write('*', crowd.newId(), { mark: this.newValue('m') })
  }

  /** Signs in before store calls are delayed, because passwords are hashed outside the event loop, unseen by the scheduler. */
  async open(): Promise<void> {
    await this.servers.signIn()
    for (const login of LOGINS) await this.servers.introduce(login)
    this.#isOpen = true
  }

  note(text: string): void {
    this.trace.push(text)
  }

  /** Returns a value that was never written before. */
  newValue(kind: string): string {
    return `${kind}${++this.#values}`
  }

  nextOrder(): number {
    return ++this.#values
  }

  /** Returns the collection of a source for a user: the user's, the team's or the shared one. */
  collection(source: string, login: string): CollectionId {
    return { source, partition: partitionFor(this.backend(source).plan, login, this.teams) } as CollectionId
  }

  backend(source: string): Backend {
    return this.backends.get(source) as Backend
  }

  /** Starts a task that runs concurrently with other events. */
  start(task: () => Promise<void>): void {
    this.#tasks.start(task)
  }

  get isBusy(): boolean {
    return !this.#tasks.isEmpty
  }

  readonly violated = (promise: string, found: string): void => {
    this.#violation ??= new Violation(promise, found)
  }

  check(): void {
    if (this.#violation) throw this.#violation
  }

  /** Runs events: a limited number, or until all started tasks have ended. */
  run(most: number, look: () => Promise<void>): Promise<void> {
    return run(this, most, look)
  }

  /** Advances time by `milliseconds`, and runs due timers and the events that they cause. */
  pass(milliseconds: number, look: () => Promise<void>): Promise<void> {
    return pass(this, milliseconds, look)
  }

  /** Ends all faults: the network works, backends recover, and no process is killed. */
  calm(): void {
    this.troubles = NO_TROUBLES
    this.servers.crashAt(undefined)
    for (const device of this.devices) device.process.killAt(undefined)
  }

  close(): void {
    this.servers.close()
    for (const device of this.devices) {
      device.process.kill()
      device.disk.close()
    }
  }
}
