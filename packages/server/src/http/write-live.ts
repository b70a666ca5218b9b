import type { ServerResponse } from 'node:http'

/**
 * Sends the parts of an answer that stays open; they are ended when the caller is gone or given up (`cut`). Thousands wait at once, and one loop over the
 * response keeps far less memory than a pipeline of streams.
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
    // The caller may have been gone before anybody listened for it.
    await reader.return?.()
  }
  response.end()
}
