/** Milliseconds that a command waits for a connection to be re-established. The command was not sent, so it had no effect. */
export const COMMAND_TIMEOUT = 3_000

/** Milliseconds in which commands share one timeout signal: a signal and timer for each would cost more than sending the command. */
const SIGNAL_SHARE_TIME = 100

/** Disables the client's timeout, which creates a signal for each command. */
export const NO_TIMEOUT = { timeout: 0 } as const

/** Returns a function that provides the timeout signal for the next command. */
export function commandTimeout(): () => { readonly abortSignal: AbortSignal } {
  let until = Number.NEGATIVE_INFINITY
  let present = { abortSignal: AbortSignal.timeout(0) }
  return () => {
    const now = performance.now()
    if (now >= until) {
      until = now + SIGNAL_SHARE_TIME
      present = { abortSignal: AbortSignal.timeout(COMMAND_TIMEOUT + SIGNAL_SHARE_TIME) }
    }
    return present
  }
}
