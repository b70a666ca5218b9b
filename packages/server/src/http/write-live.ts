import type { ServerResponse } from 'node:http'

/**
 * Writes the parts of a response that stays open, and ends them when the caller disconnects or is dropped (`cut`). A loop over the response uses far
 * less memory than a pipeline of streams, and thousands are open at once.
 */
export async function writeLive(
  response: ServerResponse,
  parts: AsyncIterable<string | Uint8Array>,
  cut: AbortSignal,
): Promise<void> {
  const reader = parts[Symbol.asyncIterator]()
  let goOn: (() => void) | undefined
  response.on('drain', () => goOn?.())
  response.once('close', () => {
    void reader.return?.()
    goOn?.()
  })
  const untilDrained = (): Promise<void> =>
    new Promise(resolve => {
      goOn = resolve
    })
  cut.addEventListener('abort', () => response.destroy(), { once: true })
  try {
    for (let part = await reader.next(); !part.done && !response.destroyed; part = await reader.next()) {
      if (!response.write(part.value)) await untilDrained()
    }
  } finally {
    // The caller may have disconnected before a listener was added.
    await reader.return?.()
  }
  response.end()
}
