/** Waits for the given milliseconds, or until the signal aborts. Does not keep the process alive, and leaves no listener on the signal. */
export function pause(milliseconds: number, stopping: AbortSignal): Promise<void> {
  if (stopping.aborted) return Promise.resolve()
  return new Promise(resolve => {
    const end = (): void => {
      clearTimeout(timer)
      stopping.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds).unref()
    stopping.addEventListener('abort', end)
  })
}
