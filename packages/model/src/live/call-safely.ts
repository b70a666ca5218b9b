/** Throws an error as an uncaught one. */
export function throwUncaught(error: unknown): void {
  queueMicrotask(() => {
    throw error
  })
}

/** Runs a callback of the app and passes its error to `threw`, so that other callbacks still run. */
export function callSafely(run: () => void, threw: (error: unknown) => void = throwUncaught): void {
  try {
    run()
  } catch (error) {
    threw(error)
  }
}
