import type { CollectionId, LeaseName } from '@godwit/store'
import { nameOf } from './sent-mutation.js'

type Grant = readonly [LeaseName, { readonly holder: string }]

/** The collections whose query may be running: an equal write counts then. */
export class RunningQueries {
  readonly #holders = new Map<string, Set<string>>()
  #isUnknown = false

  /** A restored store has the leases of its time, one whose process died may have lost a release. */
  forget(): void {
    this.#isUnknown = true
  }

  mayRun(collection: CollectionId): boolean {
    return this.#isUnknown || (this.#holders.get(nameOf(collection))?.size ?? 0) > 0
  }

  /** Records a call of the store before it is done. */
  begins(name: string, given: readonly unknown[]): void {
    if (name !== 'leases.acquire') return
    const [lease, { holder }] = given as Grant
    this.#holdersOf(lease)?.add(holder)
  }

  /** Records the same call after it. */
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
