import { SyncError } from '@godwit/protocol'
import type { Log } from '@godwit/source'
import type { AuditRow, Store } from '@godwit/store'
import { chainRows } from './chain.js'
import { type AuditedAction, entryText } from './entry.js'

interface AuditorOptions {
  readonly store: Pick<Store, 'audit'>
  readonly log: Log
}

interface PendingEntry {
  readonly action: AuditedAction
  readonly done: PromiseWithResolvers<void>
}

const BATCH = 100
/** The number of retries when another process appends first; each retry means that another process made progress. */
const MAX_TRIES = 100

/** Appends actions to the audit log in the order of the calls. Actions that arrive during a write are written together. */
export class Auditor {
  readonly #options: AuditorOptions
  #pending: PendingEntry[] = []
  #appending: Promise<void> | undefined

  constructor(options: AuditorOptions) {
    this.#options = options
  }

  /** Resolves when the entry is stored. */
  record(action: AuditedAction): Promise<void> {
    const done = Promise.withResolvers<void>()
    this.#pending.push({ action, done })
    this.#appending ??= this.#run()
    return done.promise
  }

  async #run(): Promise<void> {
    while (this.#pending.length > 0) {
      const batch = this.#pending.splice(0, BATCH)
      try {
        const rows = await this.#append(batch.map(({ action }) => action))
        for (const { done } of batch) done.resolve()
        // The log line is a copy outside the store, which shows whether the audit log was rewritten.
        for (const { number, hash } of rows)
          this.#options.log.info({ audit: number, hash }, 'administration call recorded')
      } catch (error) {
        for (const { done } of batch) done.reject(error)
      }
    }
    this.#appending = undefined
  }

  async #append(actions: readonly AuditedAction[]): Promise<readonly AuditRow[]> {
    const { audit } = this.#options.store
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const head = await audit.head()
      const rows = chainRows(
        head,
        actions.map(action => number => entryText(number, action)),
      )
      if (await audit.append(rows)) return rows
    }
    throw new SyncError(
      'store_unavailable',
      'could not append to the audit log: too many processes are writing to it. Try again.',
    )
  }
}
