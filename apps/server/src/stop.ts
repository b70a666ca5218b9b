import type { ErrorOrigin } from './stray-error.js'

/** The parts of a process that stopping uses; `process` fits. */
export interface Signals {
  on(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown
  on(event: 'uncaughtException', listener: (error: unknown, origin: ErrorOrigin) => void): unknown
  exit(code: number): void
}

/** What to close on a signal, and how long to wait. */
export interface StopOptions {
  /** Lets requests in progress finish, then closes open resources. */
  readonly close: () => Promise<void>
  readonly log: { info(facts: object, message: string): void; error(facts: object, message: string): void }
  /** Milliseconds after which unfinished work is abandoned. Default 9,000, since supervisors often kill after 10 s. */
  readonly patience?: number
}

/** The orderly end of the process. */
export interface OrderlyStop {
  /** Reports whether it has begun. */
  isUnderWay(): boolean
  /** Begins it, unless it has begun: the process then exits with this code. */
  begin(code: number): void
}

/** On SIGTERM and SIGINT closes and exits with 0; a second signal exits at once with 1. */
export function stopOnSignal(signals: Signals, { close, log, patience = 9000 }: StopOptions): OrderlyStop {
  let stopping = false
  const begin = (code: number, facts: object = {}): void => {
    if (stopping) return
    stopping = true
    log.info(facts, 'Stopping after the current requests')
    void withPatience(close(), patience)
      .catch(err => log.error({ err }, 'Some resources did not close cleanly'))
      .then(() => signals.exit(code))
  }
  const onSignal = (signal: string): void => (stopping ? signals.exit(1) : begin(0, { signal }))
  signals.on('SIGTERM', () => onSignal('SIGTERM'))
  signals.on('SIGINT', () => onSignal('SIGINT'))
  return { isUnderWay: () => stopping, begin: code => begin(code) }
}

function withPatience(closing: Promise<void>, patience: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`expected work to end within ${patience} ms, got no end of it`)),
      patience,
    )
    closing.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
