import type { Acceptance, CollectionId, Store } from '@godwit/store'
import { nameOf } from './sent-mutation.js'

/** The change of each outcome of a client. */
export class OutcomeNumbers {
  /** Keys by collection, client and outcome number. */
  readonly #given = new Map<string, string>()
  /** The same for journals replaced by an older one in the same epoch. */
  readonly #lost = new Map<string, string>()
  readonly #misled = new Set<string>()

  /** Whether an outcome number was reused for another change after its journal was lost. */
  isMisled(client: string): boolean {
    return this.#misled.has(client)
  }

  rewind({ forgets }: { readonly forgets: boolean }): void {
    if (forgets) for (const [place, key] of this.#given) this.#lost.set(place, key)
    this.#given.clear()
  }

  /** Records the changes that a call of the store concerned. */
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
