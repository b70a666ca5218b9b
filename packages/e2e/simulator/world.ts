import { Agenda } from './agenda.js'
import { Backend } from './backend.js'
import { pass, run } from './course.js'
import { gather } from './crowd.js'
import type { Device } from './device.js'
import { devicesOf } from './devices.js'
import { Dice } from './dice.js'
import { QUIET, surroundingsOf } from './fates.js'
import type { Copy, Keeper } from './keeper.js'
import type { Machine } from './machine.js'
import { Network } from './network.js'
import { LOGINS, type Plan, type Troubles } from './plan.js'
import { Records } from './records.js'
import { Servers } from './server.js'
import { Tasks } from './tasks.js'
import { Violation } from './violation.js'
import type { VirtualTime } from './virtual-time.js'
import { Photos } from './world/photos.js'

/** Everything of one history: parties, network, time, and what an observer writes down. */
export class World {
  readonly plan: Plan
  readonly time: VirtualTime
  readonly agenda = new Agenda()
  readonly records = new Records()
  readonly backends: ReadonlyMap<string, Backend>
  readonly keeper: Keeper
  readonly servers: Servers
  readonly network: Network
  readonly devices: readonly Device[]
  readonly trace: string[] = []
  readonly photos = new Photos()
  /** The largest photo that servers always took, in bytes. */
  leastPhoto = Number.POSITIVE_INFINITY
  /** The choices of the present step. */
  dice: Dice
  troubles: Troubles
  readonly #tasks = new Tasks(this)
  /** Keys that an operator decided about. */
  readonly operated = new Set<string>()
  /** The store that was copied last. */
  copy: Copy | undefined
  #values = 0
  #isOpen = false
  #violation: Violation | undefined

  constructor(plan: Plan, seed: number, { time, keepers }: Machine) {
    const ids = new Dice(seed ^ 0x5eed)
    this.plan = plan
    this.time = time
    this.dice = new Dice(seed)
    this.troubles = plan.troubles
    this.backends = new Map(plan.sources.map(source => [source.name, new Backend(source, surroundingsOf(this))]))
    const options = { clock: time.now, randomId: () => ids.id() }
    this.keeper = keepers[plan.store]({ ...options, agenda: this.agenda })
    this.servers = new Servers({
      keeper: this.keeper,
      agenda: this.agenda,
      ...options,
      sources: () => [...this.backends.values()].map(backend => backend.source()),
      processes: plan.servers,
      limits: plan.limits ?? {},
      isSlow: () => this.#isOpen && plan.slowStore && this.dice.chance(0.3),
      observe: (name, given, result) => this.records.observe(this.servers.store, name, given, result),
      note: text => this.note(text),
    })
    this.network = new Network({
      agenda: this.agenda,
      servers: this.servers,
      dice: () => this.dice,
      troubles: () => this.troubles,
    })
    this.devices = devicesOf({
      plan,
      network: this.network,
      clock: time.now,
      ids,
      note: text => this.note(text),
      stir: () => this.agenda.stir(),
    })
    if (plan.crowd) gather(this.backend('Notice'), kind => this.newValue(kind))
    this.records.violated = this.violated
    this.records.note = text => this.note(text)
    this.records.onLineage = collection => {
      this.note(`    ${collection.source} ${collection.partition} has another past`)
      for (const device of this.devices) device.loosen(collection.source)
    }
  }

  /** Before anything takes its time: passwords are hashed beside the event loop, where no agenda can see it. */
  async open(): Promise<void> {
    await this.servers.signIn()
    for (const login of LOGINS) await this.servers.introduce(login)
    this.#isOpen = true
  }

  note(text: string): void {
    this.trace.push(text)
  }

  /** A value that was never written before. */
  newValue(kind: string): string {
    return `${kind}${++this.#values}`
  }

  nextOrder(): number {
    return ++this.#values
  }

  backend(source: string): Backend {
    return this.backends.get(source) as Backend
  }

  /** Starts something that goes on while other things happen. */
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

  /** Lets things happen: at most so many, or until everything that was started is over and nothing is under way. */
  run(most: number, look: () => Promise<void>): Promise<void> {
    return run(this, most, look)
  }

  /** Time goes by, and what is due happens. */
  pass(milliseconds: number, look: () => Promise<void>): Promise<void> {
    return pass(this, milliseconds, look)
  }

  /** Networks heal, backends recover, and nobody is killed any more. */
  calm(): void {
    this.troubles = QUIET
    this.servers.doom(undefined)
    for (const device of this.devices) device.process.doom(undefined)
  }

  close(): void {
    this.servers.close()
    for (const device of this.devices) {
      device.process.kill()
      device.disk.close()
    }
  }
}
