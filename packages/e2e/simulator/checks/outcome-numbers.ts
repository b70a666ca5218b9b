import type { Acceptance, CollectionId, Store } from '@godwit/store'
import { nameOf } from './sent-mutation.js'

/** Records which change each outcome number of a client belongs to. */
export class OutcomeNumbers {
  /** Keys by collection, client and outcome number. */
  readonly #given = new Map<string, string>()
  /** The same of journals that were replaced by older ones in the same epoch. */
  readonly #lost = new Map<string, string>()
  readonly #misled = new Set<string>()

  /** Returns true if an outcome number was reused for another change after its journal was lost. */
  isMisled(client: string): boolean {
    return this.#misled.has(client)
  }

  rewind({ forgets }: { readonly forgets: boolean }): void {
    if (forgets) for (const [place, key] of this.#given) this.#lost.set(place, key)
    this.#given.clear()
  }

  /** Records the outcome numbers that a call of the store assigned. */
  async observe({ journal }: Pick<Store, 'journal'>, name: string, given: readonly unknown[]): Promise<void> {
    const [collection, about] = given as [CollectionId, Acceptance | string]
    if (!/^journal\.(accept|settle|release)$/.test(name)) return
    const keys = typeof about === 'string' ? [about] : about.mutations.map(({ key }) => key)
    for (const { client, mutation, outcome } of await journal.entries(collection, keys)) {
      const place = `${nameOf(collection)}/${client}/${outcome?.outcome}`
      if (outcome === undefined) continue
      if ((this.#lost.get(place) ?? mutation.key) !== mutation.key) this.#misled.add(client)
      this.#given.set(place, mutation.key)
    }
  }
}
