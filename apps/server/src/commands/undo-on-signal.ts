import type { Signals } from '../stop.js'
import { InterruptedError } from './command.js'

/** Milliseconds that undoing may take, while a person waits after Ctrl-C. */
const TIMEOUT = 3000

/** SIGINT and SIGTERM let a command undo what it began, then end it with 130 or 143; a second signal ends it at once. */
export function undoOnSignal(signals: Signals, undo: (interrupted: InterruptedError) => Promise<void>): void {
  let undoing = false
  const stop = (code: number): void => {
    const end = (): void => signals.exit(code)
    if (undoing) end()
    else {
      undoing = true
      setTimeout(end, TIMEOUT).unref()
      void undo(new InterruptedError(code)).finally(end)
    }
  }
  signals.on('SIGINT', () => stop(130))
  signals.on('SIGTERM', () => stop(143))
}
