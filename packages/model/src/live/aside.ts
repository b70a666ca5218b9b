/** Runs what the app handed in. Its error is the app's: thrown by itself, as an uncaught one, so that it stops nobody else. */
export function aside(run: () => void): void {
  try {
    run()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
