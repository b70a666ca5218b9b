import { isSyncError } from '@godwit/protocol'
import type { OpenModel } from '../database/open-models.js'
import { errorFacts } from '../events/sdk-events.js'
import type { ReadPage } from '../http/read-page.js'
import type { SyncContext, SyncRun } from '../run/sync-context.js'
import { type BulkLoader, loadBulkFile } from './bulk-file.js'

/** The facts of a page that the choice depends on. */
type PassProgress = Pick<ReadPage, 'more' | 'progress_count' | 'total_count'>

/**
 * Loads an `app` source at its first sync as a file, which all devices share, if many rows remain. Pages continue while the server builds the file,
 * and if it has none.
 */
export class FirstSyncFile {
  readonly #context: SyncContext
  readonly #model: OpenModel
  readonly #run: SyncRun
  /** The number of rows in the pass before the file is requested again. */
  #from = 0

  constructor(context: SyncContext, model: OpenModel, run: SyncRun) {
    this.#context = context
    this.#model = model
    this.#run = run
  }

  /** True if the file should be requested after a page: after the first, and whenever that many further rows have arrived. */
  isDue({ more, progress_count: come, total_count: total }: PassProgress): boolean {
    const rows = this.#context.bulkThreshold()
    if (!more || total - come <= rows || come < this.#from || !this.#isPossible()) return false
    this.#from = come + rows
    return true
  }

  /** Continues the import of a file that was stopped or killed. */
  async resume(): Promise<void> {
    const { token, running } = this.#state
    if (running && token === null && this.#isPossible()) await this.load(0)
  }

  /** Requests the file and loads it if the server has it. `come`: its rows that pages have delivered before. */
  async load(come: number): Promise<void> {
    const { signal } = this.#run
    const request = {
      partitionType: 'app',
      models: [this.#model],
      signal,
      waits: false,
      delivered: this.#run.received,
    } as const
    try {
      const { imported } = await loadBulkFile(this.#context as BulkLoader, request)
      for (const { rows } of imported) this.#run.received += Math.max(0, rows - come)
    } catch (error) {
      // Pages deliver the same rows, and meet the same error if it concerns them. If it were thrown, each sync would fail at the same file.
      if (!isSyncError(error))
        this.#context.events.emit({ kind: 'error', source: this.#model.name, error: errorFacts(error) })
    }
  }

  get #state() {
    return this.#model.state.get()
  }

  #isPossible(): boolean {
    const { partition, passThrough } = this.#model.definition
    const isFirst = this.#state.refreshed === ''
    return isFirst && partition === 'app' && !passThrough && this.#context.files !== undefined
  }
}
