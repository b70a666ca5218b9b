/**
 * Returns the parts until the signal is aborted: then throws `ended()`, and does not wait for the stream. One listener serves all parts and
 * goes with the last: a race against a promise that outlives them would keep every part.
 */
export async function* untilAborted<T>(
  parts: AsyncIterable<T>,
  signal: AbortSignal,
  ended: () => Error,
): AsyncGenerator<T> {
  const iterator = parts[Symbol.asyncIterator]()
  let stop = (): void => {}
  const onAbort = (): void => stop()
  signal.addEventListener('abort', onAbort)
  const next = (): Promise<IteratorResult<T>> =>
    new Promise((resolve, reject) => {
      stop = () => reject(ended())
      if (signal.aborted) return stop()
      iterator.next().then(resolve, reject)
    })
  let isOver = false
  try {
    for (;;) {
      const { done, value } = await next()
      isOver = done === true
      if (isOver) return
      yield value as T
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    // Not awaited: it ends when its source gives the next part, which may be never.
    if (!isOver) iterator.return?.()?.catch(() => {})
  }
}
