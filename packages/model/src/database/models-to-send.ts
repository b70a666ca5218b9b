import type { TransactionListener } from '../live/write-listeners.js'

/** Collects the models for which a transaction adds changes to the outbox, and reports them at the commit. */
export class ModelsToSend implements TransactionListener {
  #models = new Set<string>()
  /** Called at each commit. May include models whose change was undone in a nested transaction. */
  report: (models: ReadonlySet<string>) => void = () => {}

  add(model: string): void {
    this.#models.add(model)
  }

  committed(): void {
    if (this.#models.size === 0) return
    const models = this.#models
    this.#models = new Set()
    this.report(models)
  }

  rolledBack(): void {
    if (this.#models.size > 0) this.#models = new Set()
  }
}
