import { Agenda } from './agenda.js'
import { Backend, type Fate, type QueryFate } from './backend.js'
import { Device } from './device.js'
import { Dice } from './dice.js'
import type { Copy, Keeper } from './keeper.js'
import type { Machine } from './machine.js'
import { Network } from './network.js'
import { LOGINS, type Plan, type Troubles } from './plan.js'
import { Records } from './records.js'
import { Servers } from './server.js'
import { Violation } from './violation.js'
import type { VirtualTime } from './virtual-time.js'

const QUIET: Troubles = { lost: 0, doubled: 0, refused: 0, backend: 0, query: 0 }

const CROWD = 120

/** More happenings than any history needs: it never comes to rest. */
const ENDLESS = 20_000

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
  /** The choices of the present step. */
  dice: Dice
  troubles: Troubles
  /** What was started and is not over. */
  readonly #tasks = new Set<Promise<void>>()
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
    this.backends = new Map(plan.sources.map(source => [source.name, new Backend(source, this.#aroundBackend())]))
    const options = { clock: time.now, randomId: () => ids.id() }
    this.keeper = keepers[plan.store]({ ...options, agenda: this.agenda })
    this.servers = new Servers({
      keeper: this.keeper,
      agenda: this.agenda,
      ...options,
      clock: time.now,
      sources: () => [...this.backends.values()].map(backend => backend.source()),
      processes: plan.servers,
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
    this.devices = plan.devices.map(
      (login, at) =>
        new Device(`device ${at + 1}`, login, {
          plan,
          network: this.network,
          clock: time.now,
          ids,
          note: text => this.note(text),
          stir: () => this.agenda.stir(),
        }),
    )
    if (plan.crowd) this.#gather()
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

  /** Starts something that goes on while other things happen. What it rejects with is its own affair. */
  start(task: () => Promise<void>): void {
    const running: Promise<void> = task()
      .catch(error => {
        if (error instanceof Violation) this.violated(error.promise, error.message)
        else this.note(`    (${error instanceof Error ? error.message : error})`)
      })
      .finally(() => {
        this.#tasks.delete(running)
        this.agenda.stir()
      })
    this.#tasks.add(running)
  }

  /** Something whose end nobody sees, because its process was killed. */
  forget(): void {
    this.#tasks.clear()
  }

  get isBusy(): boolean {
    return this.#tasks.size > 0
  }

  readonly violated = (promise: string, found: string): void => {
    this.#violation ??= new Violation(promise, found)
  }

  /** Throws what was found broken. */
  check(): void {
    if (this.#violation) throw this.#violation
  }

  /** Lets things happen: at most so many, or until everything that was started is over and nothing is under way. */
  async run(most: number, look: () => Promise<void>): Promise<void> {
    for (let count = 0; count <= most; count++) {
      await this.agenda.rest()
      await look()
      this.check()
      if (count === most) return
      if (count > ENDLESS)
        throw new Violation('everything comes to rest', `something goes on after ${ENDLESS} happenings`)
      if (this.agenda.isEmpty && !this.isBusy) return
      if (this.agenda.isEmpty || this.dice.chance(0.02)) {
        if (!this.time.step()) throw new Violation('everything comes to rest', 'something waits for nothing')
      } else {
        const what = this.agenda.next(this.dice)
        this.note(`    ${what}`)
      }
    }
  }

  /** Time goes by, and what is due happens. */
  async pass(milliseconds: number, look: () => Promise<void>): Promise<void> {
    const until = this.time.now() + milliseconds
    for (let steps = 0; steps < 200 && this.time.step(until); steps++) {
      await this.agenda.rest()
      if (!this.agenda.isEmpty) await this.run(6, look)
    }
    if (this.time.now() < until) this.time.pass(until - this.time.now())
    await this.run(0, look)
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

  #aroundBackend() {
    return {
      now: this.time.now,
      moment: (what: string) => this.agenda.moment(what),
      fate: () => this.#fate(),
      queryFate: (count: number) => this.#queryFate(count),
      below: (limit: number) => this.dice.below(limit),
      note: (text: string) => this.note(text),
      doneTwice: (key: string, source: string) => {
        if (!this.records.isForgotten(key)) this.violated('a change is done once', `${source} did ${key} twice`)
      },
    }
  }

  /** So many objects that losing most of them is noticed. */
  #gather(): void {
    const crowd = this.backend('Notice')
    for (let left = CROWD; left > 0; left--) crowd.write('*', crowd.newId(), { mark: this.newValue('m') })
  }

  #fate(): Fate {
    const { refused, backend } = this.troubles
    if (this.dice.chance(refused)) return 'refuses'
    if (!this.dice.chance(backend)) return 'works'
    return this.dice.any(['fails', 'failsAfter', 'failsAfter', 'hangs', 'hangsAfter']) as Fate
  }

  #queryFate(count: number): QueryFate {
    if (count > 100 && this.troubles !== QUIET && this.dice.chance(0.2)) return 'nothing'
    if (!this.dice.chance(this.troubles.query)) return 'works'
    return this.dice.any(['fails', 'breaksOff', 'nonsense', 'hangs']) as QueryFate
  }
}
