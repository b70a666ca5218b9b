/** How long a command waits for a connection that is being made again, in milliseconds. It was not sent: nothing can have been done. */
export const COMMAND_TIMEOUT = 3_000

/** Milliseconds in which commands share one time-out signal: a signal and timer for each would cost more than sending the command. */
const SIGNAL_SHARE_TIME = 100

/** The client's own time-out makes a signal for each command. */
export const NO_TIMEOUT = { timeout: 0 } as const

/** What makes commands give up their waiting. */
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
