import type { Attributes } from '@godwit/protocol'
import { refusal, type WriteContext } from '@godwit/server'
import type { SourcePlan } from '../world/plan.js'
import type { BackendEnvironment } from './backend-environment.js'
import type { BackendObjects } from './backend-objects.js'
import type { BackendPhotos } from './backend-photos.js'

/** A change that the backend performed for a device. */
export interface Effect {
  readonly key: string
  readonly operation: 'create' | 'update' | 'delete'
  readonly partition: string
  readonly object: string
  readonly attributes: Attributes
}

/** Timeout of a backend call in milliseconds. */
export const TIMEOUT = 10_000

interface CallParts {
  readonly plan: SourcePlan
  readonly environment: BackendEnvironment
  readonly objects: BackendObjects
  readonly photos: BackendPhotos
  /** True while a partition must not change because its state is being pushed. */
  readonly isTelling: (partition: string) => boolean
}

/** The writes of devices at one backend. */
export class BackendCalls {
  readonly effects: Effect[] = []
  readonly #plan: SourcePlan
  readonly #environment: BackendEnvironment
  readonly #objects: BackendObjects
  readonly #photos: BackendPhotos
  readonly #isTelling: CallParts['isTelling']
  readonly #done = new Map<string, unknown>()
  /** Number of running calls, and of those that took effect after their caller's timeout, by partition. */
  readonly #calls = new Map<string, number>()
  /** Number of times that servers forgot their running calls, and the partitions in which such a call took effect. */
  #forgotten = 0
  readonly #unheard = new Set<string>()
  /** While set, calls wait for this promise, and fail if it rejects. */
  hold: Promise<void> | undefined
  /** Number of calls that wait for `hold`. */
  blocked = 0

  constructor({ plan, environment, objects, photos, isTelling }: CallParts) {
    this.#photos = photos
    this.#plan = plan
    this.#environment = environment
    this.#objects = objects
    this.#isTelling = isTelling
  }

  /** True if the backend has performed, or may still perform, a change that the server does not know of. */
  isBusy(partition: string): boolean {
    return (this.#calls.get(partition) ?? 0) > 0 || this.isUnheard(partition)
  }

  /** Marks running calls as forgotten, because their server is gone. */
  forget(): void {
    this.#forgotten++
  }

  /** True if the backend performed a change whose call no server will repeat, so that only a query can show it. */
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
      // The caller's timeout has passed: never count this call as finished.
      if (this.#environment.now() - begun >= TIMEOUT) this.#count(partition, 1)
      if (forgotten < this.#forgotten) this.#unheard.add(partition)
      const result = this.#runOnce(key, () =>
        this.#carryOut({ key, operation, partition, object: id ?? '', attributes }),
      )
      await this.#photos.putDisplayed(displayedBy(result), context)
      await this.#environment.delay(`${what} is answered (${outcome})`)
      if (outcome === 'failsAfter') throw new Error('the connection broke')
      if (outcome === 'hangsAfter') return new Promise<never>(() => {})
      return result as { id: string; attributes: Attributes }
    } finally {
      this.#count(partition, -1)
    }
  }

  async #waitFor(hold: Promise<void>): Promise<void> {
    this.blocked++
    await hold.finally(() => this.blocked--)
  }

  #count(partition: string, more: number): void {
    this.#calls.set(partition, (this.#calls.get(partition) ?? 0) + more)
  }

  /** Runs a change. An idempotent backend runs it once per key, and returns the stored result afterwards. */
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

/** Returns the attributes in the result of a create or an update. */
const displayedBy = (result: unknown): Attributes =>
  (result as { readonly attributes?: Attributes } | undefined)?.attributes ?? (result as Attributes | undefined) ?? {}
