/** Runs a callback of the app. An error of it is thrown separately, as an uncaught error, so that it stops no other callback. */
export function aside(run: () => void): void {
  try {
    run()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
