/**
 * Yields the parts until the signal aborts, then throws `ended()` without waiting for the stream. One listener serves all parts and is removed at the
 * end; a race against a longer-lived promise would retain every part.
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
    // Not awaited: the source may never produce the part that ends it.
    if (!isOver) iterator.return?.()?.catch(() => {})
  }
}
