import { SyncError } from '@godwit/protocol'
import type { AuditRow, Store } from '@godwit/store'
import type { Log } from '../log.js'
import { chainRows } from './chain.js'
import { type AuditedAction, entryText } from './entry.js'

interface AuditorOptions {
  readonly store: Pick<Store, 'audit'>
  readonly log: Log
}

interface PendingEntry {
  readonly deed: AuditedAction
  readonly done: PromiseWithResolvers<void>
}

const BATCH = 100
/** So often may other processes be faster; each time one of them has added something. */
const MAX_TRIES = 100

/** Adds to the audit, in the order in which it is told. Deeds that wait for the disk go together. */
export class Auditor {
  readonly #options: AuditorOptions
  #pending: PendingEntry[] = []
  #appending: Promise<void> | undefined

  constructor(keeping: AuditorOptions) {
    this.#options = keeping
  }

  /** Resolves when it is kept. */
  record(deed: AuditedAction): Promise<void> {
    const done = Promise.withResolvers<void>()
    this.#pending.push({ deed, done })
    this.#appending ??= this.#run()
    return done.promise
  }

  async #run(): Promise<void> {
    while (this.#pending.length > 0) {
      const batch = this.#pending.splice(0, BATCH)
      try {
        const rows = await this.#append(batch.map(({ deed }) => deed))
        for (const { done } of batch) done.resolve()
        // A copy outside the store proves that the audit log was not rewritten.
        for (const { number, hash } of rows) this.#options.log.info({ audit: number, hash }, 'an administration call')
      } catch (error) {
        for (const { done } of batch) done.reject(error)
      }
    }
    this.#appending = undefined
  }

  async #append(deeds: readonly AuditedAction[]): Promise<readonly AuditRow[]> {
    const { audit } = this.#options.store
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const head = await audit.head()
      const rows = chainRows(
        head,
        deeds.map(deed => number => entryText(number, deed)),
      )
      if (await audit.append(rows)) return rows
    }
    throw new SyncError(
      'store_unavailable',
      'could not append to the audit: too many processes write to it. Try again.',
    )
  }
}
