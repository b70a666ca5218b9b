/** Throws by itself, as an uncaught error. */
export function throwUncaught(error: unknown): void {
  queueMicrotask(() => {
    throw error
  })
}

/** Runs a callback of the app. An error of it is given to `threw`, so that it stops no other callback. */
export function callSafely(run: () => void, threw: (error: unknown) => void = throwUncaught): void {
  try {
    run()
  } catch (error) {
    threw(error)
  }
}
