import type { Attributes } from '@godwit/protocol'
import type { SourcePlan } from '../world/plan.js'
import type { BackendEnvironment } from './backend-environment.js'
import type { BackendLog } from './backend-log.js'

export type ObjectsById = Map<string, Attributes>

/** The objects of a partition, whose changes are logged. */
class LoggedObjects extends Map<string, Attributes> {
  readonly #note: (id: string) => void

  constructor(note: (id: string) => void) {
    super()
    this.#note = note
  }

  override set(id: string, attributes: Attributes): this {
    this.#note(id)
    return super.set(id, attributes)
  }

  override delete(id: string): boolean {
    this.#note(id)
    return super.delete(id)
  }
}

/** Maximum lag of a query in milliseconds, below the `settle` of every plan. */
const LAG = 8_000

/** The objects of one backend, by partition, with their earlier states. */
export class BackendObjects {
  readonly #plan: SourcePlan
  readonly #environment: BackendEnvironment
  readonly #partitions = new Map<string, ObjectsById>()
  /** The states before each change, for queries that lag. */
  readonly #past: { readonly at: number; readonly partition: string; readonly objects: ObjectsById }[] = []
  /** Objects that only searches find, with all of their states. */
  readonly #more = new Map<string, ObjectsById>()
  readonly #moreStates = new Map<string, (Attributes | null)[]>()
  readonly #former = new Map<string, string>()
  /** Number of changes by partition. */
  readonly #changes = new Map<string, number>()
  #ids = 0

  readonly #log: BackendLog

  constructor(plan: SourcePlan, environment: BackendEnvironment, log: BackendLog) {
    this.#plan = plan
    this.#environment = environment
    this.#log = log
  }

  more(partition: string): ObjectsById {
    const found = this.#more.get(partition) ?? new Map<string, Attributes>()
    this.#more.set(partition, found)
    return found
  }

  /** `null` removes the object. */
  writeMore(partition: string, id: string, attributes: Attributes | null): void {
    if (attributes === null) this.more(partition).delete(id)
    else this.more(partition).set(id, attributes)
    this.#moreStates.set(id, [...(this.#moreStates.get(id) ?? [null]), attributes])
  }

  statesOfMore(id: string): readonly (Attributes | null)[] | undefined {
    return this.#moreStates.get(id)
  }

  partitions(): readonly string[] {
    return [...this.#partitions.keys()]
  }

  /** The backend's own change; `null` removes the object. */
  write(partition: string, id: string, attributes: Attributes | null): void {
    this.remember(partition)
    if (attributes === null) {
      this.of(partition).delete(id)
      this.#former.set(id, partition)
    } else this.of(partition).set(id, this.normal({ ...this.of(partition).get(id), ...attributes }))
  }

  /** Puts an object back as it was, as the restore of a dump does; undefined: it was not there. */
  putBack(partition: string, id: string, attributes: Attributes | undefined): void {
    this.remember(partition)
    if (attributes === undefined) this.of(partition).delete(id)
    else this.of(partition).set(id, attributes)
  }

  /** Returns the id of a removed object, to recreate it; undefined if there is none. */
  formerId(partition: string): string | undefined {
    const former = [...this.#former].filter(([id, where]) => where === partition && !this.of(partition).has(id))
    return former[this.#environment.below(former.length)]?.[0]
  }

  newId(): string {
    return `${this.#plan.name}-${++this.#ids}`
  }

  /** Returns the id for a create: a new one, or that of an existing object if the backend merges. */
  idFor(partition: string, attributes: Attributes): string {
    const ids = [...this.of(partition).keys()]
    const duplicate =
      this.#plan.merges && ids.length > 0 && String(attributes['mark']).endsWith('0') ? ids.at(-1) : undefined
    return duplicate ?? this.newId()
  }

  normal(attributes: Attributes): Attributes {
    const present = Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null))
    if (!this.#plan.normalises) return present
    const { c, ...rest } = present
    return rest['a'] === undefined ? rest : { ...rest, c: `of ${rest['a']}` }
  }

  of(partition: string): ObjectsById {
    const found = this.#partitions.get(partition) ?? new LoggedObjects(id => this.#log.note(partition, id))
    this.#partitions.set(partition, found)
    return found
  }

  changes(partition: string): number {
    return this.#changes.get(partition) ?? 0
  }

  remember(partition: string): void {
    this.#changes.set(partition, this.changes(partition) + 1)
    if (this.#plan.settle > 0)
      this.#past.push({ at: this.#environment.now(), partition, objects: new Map(this.of(partition)) })
  }

  /** Returns the objects as a query sees them: with delayed reads, as they were some seconds ago. */
  displayed(partition: string): { [id: string]: Attributes } {
    const seen = this.#environment.now() - (this.#plan.settle > 0 ? this.#environment.below(LAG) : 0)
    // Each entry is the state before a change: the first one after `seen` is the state at that time.
    const past = this.#past.find(state => state.partition === partition && state.at > seen)
    return Object.fromEntries([...(past?.objects ?? this.of(partition))].map(([id, one]) => [id, withNulls(id, one)]))
  }
}

/** Adds `null` for missing attributes to every second object, like the row of a table. */
export const withNulls = (id: string, attributes: Attributes): Attributes =>
  /[13579]$/.test(id) ? { a: null, b: null, ...attributes } : attributes
