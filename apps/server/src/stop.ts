/** The parts of a process that stopping uses; `process` fits. */
export interface Signals {
  on(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown
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

/** Reports whether a signal has arrived. */
export interface SignalledStop {
  isUnderWay(): boolean
}

/** On SIGTERM and SIGINT closes and exits with 0; a second signal exits at once with 1. */
export function stopOnSignal(signals: Signals, { close, log, patience = 9000 }: StopOptions): SignalledStop {
  let stopping = false
  const stop = (signal: string): void => {
    if (stopping) {
      signals.exit(1)
      return
    }
    stopping = true
    log.info({ signal }, 'Stopping: requests under way may finish')
    void withPatience(close(), patience)
      .catch(err => log.error({ err }, 'Something did not close as it should'))
      .then(() => signals.exit(0))
  }
  signals.on('SIGTERM', () => stop('SIGTERM'))
  signals.on('SIGINT', () => stop('SIGINT'))
  return { isUnderWay: () => stopping }
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
