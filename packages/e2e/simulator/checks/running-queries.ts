import type { CollectionId, LeaseName } from '@godwit/store'
import { nameOf } from './sent-mutation.js'

type Grant = readonly [LeaseName, { readonly holder: string }]

/** The collections with a query that may be running, during which equal writes are allowed. */
export class RunningQueries {
  readonly #holders = new Map<string, Set<string>>()
  #isUnknown = false

  /** Treats all queries as possibly running: leases of a restored store, or of a dead process, are unknown. */
  forget(): void {
    this.#isUnknown = true
  }

  mayRun(collection: CollectionId): boolean {
    return this.#isUnknown || (this.#holders.get(nameOf(collection))?.size ?? 0) > 0
  }

  /** Records a call of the store before it runs. */
  begins(name: string, given: readonly unknown[]): void {
    if (name !== 'leases.acquire') return
    const [lease, { holder }] = given as Grant
    this.#holdersOf(lease)?.add(holder)
  }

  /** Records a call of the store after it has returned. */
  ends(name: string, given: readonly unknown[], result: unknown): void {
    if (name === 'leases.acquire' && result === undefined) {
      const [lease, { holder }] = given as Grant
      this.#holdersOf(lease)?.delete(holder)
    }
    if (name !== 'leases.release') return
    const [{ name: lease, holder }] = given as readonly [{ readonly name: LeaseName; readonly holder: string }]
    this.#holdersOf(lease)?.delete(holder)
  }

  #holdersOf(lease: LeaseName): Set<string> | undefined {
    if (lease.kind !== 'query') return undefined
    const name = nameOf(lease.collection)
    const holders = this.#holders.get(name) ?? new Set<string>()
    this.#holders.set(name, holders)
    return holders
  }
}
