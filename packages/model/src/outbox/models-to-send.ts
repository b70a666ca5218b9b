import type { TransactionListener } from '../database/database.js'

/** Which models a transaction left something to send of, told when it is committed. */
export class ModelsToSend implements TransactionListener {
  #models = new Set<string>()
  /** Hears of each commit. What was undone in a part of the transaction may be among them. */
  heard: (models: ReadonlySet<string>) => void = () => {}

  note(model: string): void {
    this.#models.add(model)
  }

  committed(): void {
    if (this.#models.size === 0) return
    const models = this.#models
    this.#models = new Set()
    this.heard(models)
  }

  rolledBack(): void {
    if (this.#models.size > 0) this.#models = new Set()
  }
}
