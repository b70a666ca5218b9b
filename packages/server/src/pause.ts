/** Waits so many milliseconds, or until the signal is aborted. Keeps no process alive and leaves nothing behind on the signal. */
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
