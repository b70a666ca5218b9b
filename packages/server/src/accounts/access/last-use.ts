import { messageOf } from '@godwit/source'
import type { RecordKind, RecordValue } from '@godwit/store'
import type { AccountsEngine } from '../accounts-engine.js'
import { type Credential, recordExpiry } from './credentials.js'

const MINUTE = 60_000

/** Milliseconds during which uses are collected for one write: after a restart all devices reconnect, and each separate commit waits for the disk. */
export const GATHER = 100

/** A time in the future is from before the clock was set back, so it does not count as recent. */
const isRecent = (seenAt: number, now: number): boolean => now >= seenAt && now - seenAt < MINUTE

/** Records when credentials and clients were last used, at most once a minute each. No response waits for it. */
export class LastUseRecorder {
  readonly #engine: Pick<AccountsEngine, 'store' | 'clock' | 'limits' | 'log' | 'stopping'>
  readonly #pending = new Set<string>()
  /** Writes collected for the next flush; undefined: write at once. */
  #gatheredWrites: (() => void)[] | undefined
  #isBeginning = false

  constructor(engine: Pick<AccountsEngine, 'store' | 'clock' | 'limits' | 'log' | 'stopping'>) {
    this.#engine = engine
  }

  credential({ id, purpose, seenAt }: Credential): void {
    const now = this.#engine.clock()
    if (isRecent(seenAt, now)) return
    const { tokenSliding, tokenLife } = this.#engine.limits
    const end = now + tokenLife * 1000
    if (purpose !== 'token' || !tokenSliding) this.#record('credential', id, { seen_at: now })
    else this.#record('credential', id, { seen_at: now, expires_at: end }, { expiresAt: recordExpiry(end) })
  }

  /** Records the session as well, so that signing out the device ends it, and another change at once. */
  client(id: string, seenAt: number, session?: string, change?: RecordValue): void {
    const now = this.#engine.clock()
    if (change === undefined && isRecent(seenAt, now)) return
    this.#record('client', id, { seen_at: now, ...(session !== undefined && { session }), ...change })
  }

  #record(kind: RecordKind, id: string, change: RecordValue, options?: { readonly expiresAt: number }): void {
    const pendingKey = `${kind} ${id}`
    if (this.#pending.has(pendingKey)) return
    this.#pending.add(pendingKey)
    this.#write(() => {
      this.#engine.store.registry
        .merge(kind, id, change, options)
        .catch(error => this.#engine.log.debug({ error: messageOf(error), kind }, 'could not record a use'))
        .finally(() => this.#pending.delete(pendingKey))
    })
  }

  /** Writes at once when idle, together with the other uses of this turn; later ones are collected for `GATHER` milliseconds. */
  #write(write: () => void): void {
    if (this.#gatheredWrites) return void this.#gatheredWrites.push(write)
    write()
    if (this.#isBeginning) return
    this.#isBeginning = true
    setImmediate(() => {
      this.#isBeginning = false
      this.#gather()
    })
  }

  #gather(): void {
    const waiting: (() => void)[] = []
    this.#gatheredWrites = waiting
    setTimeout(() => {
      this.#gatheredWrites = undefined
      if (this.#engine.stopping.aborted || waiting.length === 0) return
      for (const write of waiting) write()
      this.#gather()
    }, GATHER).unref()
  }
}
