/** Throws by itself, as an uncaught error. */
export function throwAside(error: unknown): void {
  queueMicrotask(() => {
    throw error
  })
}

/** Runs a callback of the app. An error of it is given to `threw`, so that it stops no other callback. */
export function aside(run: () => void, threw: (error: unknown) => void = throwAside): void {
  try {
    run()
  } catch (error) {
    threw(error)
  }
}
