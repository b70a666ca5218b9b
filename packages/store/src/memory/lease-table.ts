import { isFromClockAhead } from '../clock-ahead.js'
import type { Lease, LeaseName } from '../leases.js'

interface Grant {
  readonly holder: string
  readonly fence: number
  readonly until: number
  /** The time of the grant or last renewal. */
  readonly at: number
}

/** The leases of a store. All fences come from one counter, so that none is issued twice, even after a drop or clear. */
export class LeaseTable {
  readonly #clock: () => number
  readonly #grants = new Map<string, Grant>()
  #fence = 0

  constructor(clock: () => number) {
    this.#clock = clock
  }

  nextFence(): number {
    return ++this.#fence
  }

  grant(name: LeaseName, holder: string, milliseconds: number): Lease | undefined {
    const present = this.#find(name)
    if (present && present.holder !== holder) return undefined
    const fence = this.nextFence()
    this.#grants.set(keyOf(name), { holder, fence, ...this.#times(milliseconds) })
    return { name, holder, fence }
  }

  prolong(lease: Lease, milliseconds: number): boolean {
    const present = this.#find(lease.name)
    if (!present || present.fence !== lease.fence || present.holder !== lease.holder) return false
    this.#grants.set(keyOf(lease.name), { ...present, ...this.#times(milliseconds) })
    return true
  }

  end(lease: Lease): void {
    if (this.isLeased(lease.name, lease.fence)) this.#grants.delete(keyOf(lease.name))
  }

  /** True if the lease is held, under this fence if given. */
  isLeased(name: LeaseName, fence?: number): boolean {
    const present = this.#find(name)
    return present !== undefined && (fence === undefined || present.fence === fence)
  }

  clear(): void {
    this.#grants.clear()
  }

  #find(name: LeaseName): Grant | undefined {
    const grant = this.#grants.get(keyOf(name))
    const now = this.#clock()
    return grant && grant.until > now && !isFromClockAhead(grant.at, now) ? grant : undefined
  }

  #times(milliseconds: number): Pick<Grant, 'at' | 'until'> {
    const at = this.#clock()
    return { at, until: at + milliseconds }
  }
}

function keyOf(name: LeaseName): string {
  if (name.kind === 'server') return JSON.stringify([name.kind, name.name.toWellFormed()])
  const { source, partition } = name.collection
  return JSON.stringify([name.kind, source.toWellFormed(), partition.toWellFormed()])
}
