import type { Attributes } from '@godwit/protocol'
import { refusal, type WriteContext } from '@godwit/server'
import type { SourcePlan } from '../world/plan.js'
import type { BackendEnvironment } from './backend-environment.js'
import type { BackendObjects } from './backend-objects.js'
import type { BackendPhotos } from './backend-photos.js'

/** A change that the backend made for a device. */
export interface Effect {
  readonly key: string
  readonly operation: 'create' | 'update' | 'delete'
  readonly partition: string
  readonly object: string
  readonly attributes: Attributes
}

/** Milliseconds that a server waits for a call. */
export const TIMEOUT = 10_000

interface CallParts {
  readonly plan: SourcePlan
  readonly environment: BackendEnvironment
  readonly objects: BackendObjects
  readonly photos: BackendPhotos
  /** True while a partition must not change because its state is being pushed. */
  readonly isTelling: (partition: string) => boolean
}

/** How one backend performs the writes of devices. */
export class BackendCalls {
  readonly effects: Effect[] = []
  readonly #plan: SourcePlan
  readonly #environment: BackendEnvironment
  readonly #objects: BackendObjects
  readonly #photos: BackendPhotos
  readonly #isTelling: CallParts['isTelling']
  readonly #done = new Map<string, unknown>()
  /** Number of running calls, and of those whose effect came after their caller gave up, by partition. */
  readonly #calls = new Map<string, number>()
  /** How often servers lost track of calls, and the partitions in which such a call took effect. */
  #forgotten = 0
  readonly #unheard = new Set<string>()
  /** Calls that reach the backend wait for it, and fail with it. */
  hold: Promise<void> | undefined
  /** Number of calls that wait for it. */
  held = 0

  constructor({ plan, environment, objects, photos, isTelling }: CallParts) {
    this.#photos = photos
    this.#plan = plan
    this.#environment = environment
    this.#objects = objects
    this.#isTelling = isTelling
  }

  /** Whether it may have done, or still do, something that the server does not know of. */
  isBusy(partition: string): boolean {
    return (this.#calls.get(partition) ?? 0) > 0 || this.isUnheard(partition)
  }

  /** Forgets running calls: their caller is gone. */
  forget(): void {
    this.#forgotten++
  }

  /** Whether it did something that no server will ask for again, so that only a query can show it. */
  isUnheard(partition: string): boolean {
    return this.#unheard.has(partition)
  }

  async call(operation: Effect['operation'], id: string | undefined, attributes: Attributes, context: WriteContext) {
    const { partition, idempotencyKey: key } = context
    const what = `${operation} ${this.#plan.name} ${id ?? ''}`
    this.#environment.callBegins(this.#plan, key, { operation, attributes })
    const begun = this.#environment.now()
    const forgotten = this.#forgotten
    this.#count(partition, 1)
    try {
      await this.#environment.delay(`${what} reaches the backend`)
      while (this.#isTelling(partition)) await this.#environment.delay(`${what} waits for the plugin`)
      if (this.hold) await this.#waitFor(this.hold)
      const outcome = this.#environment.callOutcome()
      if (outcome === 'refuses' && !this.#done.has(key)) throw refusal('The backend does not want it.')
      if (outcome === 'fails') throw new Error('the backend is out of order')
      if (outcome === 'hangs') return new Promise<never>(() => {})
      // Its caller has given up.
      if (this.#environment.now() - begun >= TIMEOUT) this.#count(partition, 1)
      if (forgotten < this.#forgotten) this.#unheard.add(partition)
      const result = this.#runOnce(key, () =>
        this.#carryOut({ key, operation, partition, object: id ?? '', attributes }),
      )
      await this.#photos.putShown(shownBy(result), context)
      await this.#environment.delay(`${what} is answered (${outcome})`)
      if (outcome === 'failsAfter') throw new Error('the connection broke')
      if (outcome === 'hangsAfter') return new Promise<never>(() => {})
      return result as { id: string; attributes: Attributes }
    } finally {
      this.#count(partition, -1)
    }
  }

  async #waitFor(hold: Promise<void>): Promise<void> {
    this.held++
    await hold.finally(() => this.held--)
  }

  #count(partition: string, more: number): void {
    this.#calls.set(partition, (this.#calls.get(partition) ?? 0) + more)
  }

  /** An idempotent backend stores its result by key. */
  #runOnce(key: string, run: () => unknown): unknown {
    if (this.#plan.idempotent && this.#done.has(key)) return this.#done.get(key)
    if (this.#done.has(key)) this.#environment.doneTwice(key, this.#plan.name)
    const result = run()
    this.#done.set(key, result)
    return result
  }

  #carryOutOnMore(partition: string, object: string, changes: Attributes | null): unknown {
    const before = this.#objects.more(partition).get(object)
    this.#objects.writeMore(partition, object, changes && this.#objects.normal({ ...before, ...changes }))
    return undefined
  }

  #carryOut(effect: Effect): unknown {
    const objects = this.#objects.of(effect.partition)
    const { operation, attributes } = effect
    const more = this.#objects.more(effect.partition)
    const present = objects.get(effect.object) ?? more.get(effect.object)
    if (operation === 'update' && !present) throw refusal('There is no such object.')
    this.#photos.check(effect.partition, effect.key, attributes)
    this.#objects.remember(effect.partition)
    const object = operation === 'create' ? this.#objects.idFor(effect.partition, attributes) : effect.object
    this.effects.push({ ...effect, object })
    this.#environment.note(`    ${this.#plan.name} ${operation} ${object} ${JSON.stringify(attributes)}`)
    if (more.has(object))
      return this.#carryOutOnMore(effect.partition, object, operation === 'delete' ? null : attributes)
    if (operation === 'delete') {
      objects.delete(object)
      return undefined
    }
    const before = objects.get(object)
    const after = this.#objects.normal({ ...before, ...attributes })
    objects.set(object, after)
    if (operation === 'update') return this.#plan.normalises ? { ...after, c: after['c'] ?? null } : undefined
    return this.#plan.normalises ? { id: object, attributes: after } : { id: object }
  }
}

/** The attributes that the result of a create or an update shows. */
const shownBy = (result: unknown): Attributes =>
  (result as { readonly attributes?: Attributes } | undefined)?.attributes ?? (result as Attributes | undefined) ?? {}
