import type { Attributes } from '@godwit/protocol'
import {
  type Conflict,
  defineSource,
  refusal,
  type Source,
  type SourceContext,
  type WriteContext,
} from '@godwit/server'
import type { SourcePlan } from './plan.js'

/** What becomes of a call: `After`: the backend did it first. */
export type Fate = 'works' | 'refuses' | 'fails' | 'failsAfter' | 'hangs' | 'hangsAfter'
export type QueryFate = 'works' | 'fails' | 'breaksOff' | 'nonsense' | 'nothing' | 'hangs'

/** What a backend takes from its world. */
export interface Surroundings {
  readonly now: () => number
  /** Resolves at some time. */
  readonly moment: (what: string) => Promise<void>
  readonly fate: () => Fate
  /** For so many objects. */
  readonly queryFate: (count: number) => QueryFate
  /** A whole number below. */
  readonly below: (limit: number) => number
  readonly note: (text: string) => void
  /** Told that something was done once more under its key. */
  readonly doneTwice: (key: string, source: string) => void
}

/** A change that the backend made for a device. */
export interface Effect {
  readonly key: string
  readonly operation: 'create' | 'update' | 'delete'
  readonly partition: string
  readonly object: string
  readonly attributes: Attributes
}

type Objects = Map<string, Attributes>

/** Seconds that a query may lag behind; below every `settle` of a plan. */
const LAG = 8_000

/** Milliseconds that a server waits for a call. */
const TIMEOUT = 10_000

/** The truth about one source: its objects by partition, and what it was made to do. */
export class Backend {
  readonly plan: SourcePlan
  readonly effects: Effect[] = []
  readonly #around: Surroundings
  readonly #partitions = new Map<string, Objects>()
  readonly #done = new Map<string, unknown>()
  /** Earlier states, for queries that lag. */
  readonly #past: { readonly at: number; readonly partition: string; readonly objects: Objects }[] = []
  /** Pushes to the server under way: where nothing is polled, changes wait until they are told. */
  readonly #telling = new Map<string, Promise<void>>()
  /** Calls under way, and those whose effect came when nobody waited for it any more, by partition. */
  readonly #calls = new Map<string, number>()
  readonly #former = new Map<string, string>()
  /** Its queries have looked, and answer later. */
  isSlow = false
  /** A query has looked since this was set to false. */
  hasRead = false
  #ids = 0

  constructor(plan: SourcePlan, around: Surroundings) {
    this.plan = plan
    this.#around = around
  }

  objects(partition: string): ReadonlyMap<string, Attributes> {
    return this.#of(partition)
  }

  partitions(): readonly string[] {
    return [...this.#partitions.keys()]
  }

  /** Its own change: `null` removes the object. */
  write(partition: string, id: string, attributes: Attributes | null): void {
    this.#remember(partition)
    if (attributes === null) {
      this.#of(partition).delete(id)
      this.#former.set(id, partition)
    } else this.#of(partition).set(id, this.#normal({ ...this.#of(partition).get(id), ...attributes }))
  }

  /** Whether it may have done, or do, what the server has not heard of yet. */
  isBusy(partition: string): boolean {
    return this.#telling.has(partition) || (this.#calls.get(partition) ?? 0) > 0
  }

  /** An object that it had and removed: its people may bring one back. */
  formerId(partition: string): string | undefined {
    const former = [...this.#former].filter(([id, where]) => where === partition && !this.#of(partition).has(id))
    return former[this.#around.below(former.length)]?.[0]
  }

  newId(): string {
    return `${this.plan.name}-${++this.#ids}`
  }

  /** While it tells the server of a partition, that stands still; whoever wants to tell next waits. */
  async telling(partition: string, run: () => Promise<void>): Promise<void> {
    const before = this.#telling.get(partition) ?? Promise.resolve()
    const told = before.then(run)
    const over = told.catch(() => {})
    this.#telling.set(partition, over)
    await told.finally(() => this.#telling.get(partition) === over && this.#telling.delete(partition))
  }

  /** The source as a backend developer writes it. */
  source(): Source<Attributes> {
    const { name, partition, pollInterval, idempotent, conflict, settle, passThrough, belongsTo, queue } = this.plan
    return defineSource<Attributes>({
      name,
      partition,
      pollInterval,
      idempotent,
      settle,
      passThrough,
      belongsTo,
      queue,
      conflict: conflict === 'resolve' ? 'client-wins' : conflict,
      ...(conflict === 'resolve' && { resolve }),
      timeout: TIMEOUT / 1000,
      queryTimeout: 20,
      query: context => (this.plan.streams ? this.#stream(context) : this.#query(context)),
      create: (attributes, context) => this.#call('create', undefined, attributes, context),
      update: (id, changes, context) => this.#call('update', id, changes as Attributes, context),
      delete: async (id, context) => void (await this.#call('delete', id, {}, context)),
    })
  }

  async #query({ partition }: SourceContext): Promise<{ [id: string]: Attributes }> {
    await this.#around.moment(`the query of ${this.plan.name} reaches the backend`)
    const fate = this.#around.queryFate(this.#of(partition).size)
    const answer = this.#shown(partition)
    this.hasRead = true
    while (this.isSlow) await this.#around.moment(`the query of ${this.plan.name} takes its time`)
    await this.#around.moment(`the query of ${this.plan.name} is answered (${fate})`)
    if (fate === 'hangs') return new Promise(() => {})
    if (fate === 'fails' || fate === 'breaksOff') throw new Error('the backend is out of order')
    if (fate === 'nonsense') return 'a page of HTML' as never
    return fate === 'nothing' ? {} : answer
  }

  async *#stream({ partition }: SourceContext): AsyncGenerator<{ [id: string]: Attributes }> {
    const fate = this.#around.queryFate(this.#of(partition).size)
    const ids = Object.keys(this.#shown(partition))
    for (let from = 0; from < ids.length; ) {
      await this.#around.moment(`the query of ${this.plan.name} goes on`)
      const part = ids.slice(from, from + 1 + this.#around.below(4))
      from += part.length
      if (fate === 'nothing') return
      if (fate === 'hangs') await new Promise(() => {})
      if (fate === 'nonsense') yield 'a page of HTML' as never
      const objects = this.#shown(partition)
      yield Object.fromEntries(part.flatMap(id => (objects[id] === undefined ? [] : [[id, objects[id]]])))
      if (fate === 'fails' || fate === 'breaksOff') throw new Error('the backend broke off')
    }
  }

  async #call(
    operation: Effect['operation'],
    id: string | undefined,
    attributes: Attributes,
    { partition, idempotencyKey: key }: WriteContext,
  ) {
    const what = `${operation} ${this.plan.name} ${id ?? ''}`
    const begun = this.#around.now()
    this.#count(partition, 1)
    try {
      await this.#around.moment(`${what} reaches the backend`)
      while (this.#telling.has(partition)) await this.#around.moment(`${what} waits for the plugin`)
      const fate = this.#around.fate()
      if (fate === 'refuses' && !this.#done.has(key)) throw refusal('The backend does not want it.')
      if (fate === 'fails') throw new Error('the backend is out of order')
      if (fate === 'hangs') return new Promise<never>(() => {})
      // Nobody waits for it any more.
      if (this.#around.now() - begun >= TIMEOUT) this.#count(partition, 1)
      const result = this.#once(key, () => this.#carryOut({ key, operation, partition, object: id ?? '', attributes }))
      await this.#around.moment(`${what} is answered (${fate})`)
      if (fate === 'failsAfter') throw new Error('the connection broke')
      if (fate === 'hangsAfter') return new Promise<never>(() => {})
      return result as { id: string; attributes: Attributes }
    } finally {
      this.#count(partition, -1)
    }
  }

  #count(partition: string, more: number): void {
    this.#calls.set(partition, (this.#calls.get(partition) ?? 0) + more)
  }

  /** An idempotent backend remembers what it did for a key. */
  #once(key: string, run: () => unknown): unknown {
    if (this.plan.idempotent && this.#done.has(key)) return this.#done.get(key)
    if (this.#done.has(key)) this.#around.doneTwice(key, this.plan.name)
    const result = run()
    this.#done.set(key, result)
    return result
  }

  #carryOut(effect: Effect): unknown {
    const objects = this.#of(effect.partition)
    const { operation, attributes } = effect
    const present = objects.get(effect.object)
    if (operation === 'update' && !present) throw refusal('There is no such object.')
    this.#remember(effect.partition)
    const object = operation === 'create' ? this.#idFor(effect) : effect.object
    this.effects.push({ ...effect, object })
    this.#around.note(`    ${this.plan.name} ${operation} ${object} ${JSON.stringify(attributes)}`)
    if (operation === 'delete') {
      objects.delete(object)
      return undefined
    }
    const before = objects.get(object)
    const after = this.#normal({ ...before, ...attributes })
    objects.set(object, after)
    if (operation === 'update') return this.plan.normalises ? { ...after, c: after['c'] ?? null } : undefined
    return this.plan.normalises ? { id: object, attributes: after } : { id: object }
  }

  #idFor({ partition, attributes }: Effect): string {
    const ids = [...this.#of(partition).keys()]
    const twin = this.plan.merges && ids.length > 0 && String(attributes['mark']).endsWith('0') ? ids.at(-1) : undefined
    return twin ?? this.newId()
  }

  #normal(attributes: Attributes): Attributes {
    const present = Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null))
    if (!this.plan.normalises) return present
    const { c, ...rest } = present
    return rest['a'] === undefined ? rest : { ...rest, c: `of ${rest['a']}` }
  }

  #of(partition: string): Objects {
    const found = this.#partitions.get(partition) ?? new Map<string, Attributes>()
    this.#partitions.set(partition, found)
    return found
  }

  #remember(partition: string): void {
    if (this.plan.settle > 0)
      this.#past.push({ at: this.#around.now(), partition, objects: new Map(this.#of(partition)) })
  }

  /** As a query sees it: where writes show late, as it stood some seconds ago. */
  #shown(partition: string): { [id: string]: Attributes } {
    const seen = this.#around.now() - (this.plan.settle > 0 ? this.#around.below(LAG) : 0)
    // Each is the state before the change at its time: the first after the moment that is seen.
    const past = this.#past.find(state => state.partition === partition && state.at > seen)
    return Object.fromEntries(past?.objects ?? this.#of(partition))
  }
}

/** Keeps what both sides changed: theirs, with `a` of the device. */
function resolve({ theirs, mine }: Conflict<Attributes>): Attributes | undefined {
  const a = mine?.['a']
  return theirs === undefined || a === undefined || a === null ? theirs : { ...theirs, a }
}
