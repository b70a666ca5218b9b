import { type Log, messageOf } from '@godwit/source'
import type { JournalEntry } from '@godwit/store'
import { pause } from '../../base/pause.js'
import { isUnavailable } from '../../base/store-health.js'

/** Milliseconds before the first attempt; each further one waits twice as long. */
const BACK_OFF = 100
const MAX_BACK_OFF_MS = 2000
const MAX_ANSWERS = 10_000

type StartOfMutation = Pick<JournalEntry, 'collection' | 'mutation'> & { readonly fence: number }

interface UnsettledAnswersOptions {
  readonly log: Log
  readonly stopping: AbortSignal
}

/** Answers of backends that the store could not record. Only this process has them, and it settles them once the store is available. */
export class UnsettledAnswers {
  readonly #log: Log
  readonly #stopping: AbortSignal
  readonly #settles = new Map<string, () => Promise<void>>()
  #isRunning = false

  constructor({ log, stopping }: UnsettledAnswersOptions) {
    this.#log = log
    this.#stopping = stopping
  }

  /** True while this process has the answer to this call and is about to settle it. */
  has(start: StartOfMutation): boolean {
    return this.#settles.has(nameOf(start))
  }

  /**
   * Keeps an answer that was not settled because the store was unavailable. Beyond 10,000 answers, or after another error, the call's lease expires
   * instead.
   */
  keep(start: StartOfMutation, error: unknown, settle: () => Promise<void>): void {
    if (!isUnavailable(error) || this.#settles.size >= MAX_ANSWERS || this.#stopping.aborted) return
    this.#settles.set(nameOf(start), settle)
    if (!this.#isRunning) void this.#run()
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    this.#log.warn({}, 'the store rejects responses of backends; they are written again until it accepts them')
    for (let failures = 0; this.#settles.size > 0 && !this.#stopping.aborted; ) {
      await pause(Math.min(BACK_OFF * 2 ** failures, MAX_BACK_OFF_MS), this.#stopping)
      failures = (await this.#settleAll()) ? 0 : failures + 1
    }
    this.#isRunning = false
    const { size } = this.#settles
    if (size > 0)
      this.#log.error({ answers: size }, 'the server stopped before the store accepted responses of backends')
    else this.#log.info({}, 'the store has accepted the responses of backends')
  }

  /** Settles the answers until the store rejects one, which then moves to the end: the store may lack space only for that one. */
  async #settleAll(): Promise<boolean> {
    for (const [name, settle] of [...this.#settles]) {
      const error = await settle().then(
        () => undefined,
        (thrown: unknown) =>
          thrown ?? new Error('expected the store to settle an answer, got a rejection without an error'),
      )
      this.#settles.delete(name)
      if (isUnavailable(error)) {
        this.#settles.set(name, settle)
        return false
      }
      if (error !== undefined) this.#log.error({ error: messageOf(error) }, 'an answer of a backend was not settled')
    }
    return true
  }
}

const nameOf = ({ collection: { source, partition }, mutation: { key }, fence }: StartOfMutation): string =>
  JSON.stringify([source, partition, key, fence])
