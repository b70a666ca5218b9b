/** Throws by itself, as an uncaught error. */
export function throwAside(error: unknown): void {
  queueMicrotask(() => {
    throw error
  })
}

/** Runs what the app handed in. Its error is the app's, and stops nobody else. */
export function aside(run: () => void, threw: (error: unknown) => void = throwAside): void {
  try {
    run()
  } catch (error) {
    threw(error)
  }
}
