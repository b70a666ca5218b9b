import { SyncError } from '@godwit/protocol'
import { type HttpAnswer, isPage } from '../platform/http-response.js'
import type { Platform } from '../sdk/open-sdk.js'

/** A browser opens six connections to an HTTP/1.1 server. The device uses four at most: two requests, the event stream and one file. */
const MAX_REQUESTS = 2
const MAX_FILES = 1

/** The fetch functions of a device in a browser: they send its session, never cookies of the page. `answered` sees every response. */
export function browserFetch(
  answered: (response: Response) => void = () => {},
): Pick<Required<Platform>, 'whole' | 'stream' | 'fetch' | 'pullsByBody'> {
  const plain: typeof fetch = async (input, init) => {
    try {
      const response = await fetch(input, { ...init, credentials: 'omit' })
      answered(response)
      return response
    } catch (cause) {
      throw unreachable(String(input), cause)
    }
  }
  const enterRequest = turnsOf(MAX_REQUESTS)
  const enterFile = turnsOf(MAX_FILES)
  return {
    stream: plain,
    pullsByBody: true,
    async whole(url, request) {
      const leave = await enterRequest()
      try {
        return await wholeAnswer(await plain(url, request))
      } finally {
        leave()
      }
    },
    async fetch(input, init) {
      const leave = await enterFile()
      try {
        const response = await plain(input, init)
        if (response.ok && response.body && !isPage(response)) return leaveAtEnd(response, leave, init?.signal)
        const answer = await wholeAnswer(response)
        leave()
        return answer as Response
      } catch (error) {
        leave()
        throw error
      }
    },
  }
}

/** Returns a function that waits until fewer than `max` of its callers are in; each of them calls the result to leave. */
function turnsOf(max: number): () => Promise<() => void> {
  const waiting: (() => void)[] = []
  let free = max
  return async () => {
    if (free === 0) await new Promise<void>(resolve => waiting.push(resolve))
    else free--
    let isIn = true
    return () => {
      if (!isIn) return
      isIn = false
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}

/** Returns the response, whose body calls `leave` when it was read or has failed. A body that is not read to its end leaves when the signal is aborted. */
function leaveAtEnd(response: Response, leave: () => void, signal: AbortSignal | null | undefined): Response {
  signal?.addEventListener('abort', leave, { once: true })
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        leave()
        controller.close()
      } catch (error) {
        leave()
        controller.error(error)
      }
    },
    cancel(reason) {
      leave()
      return reader.cancel(reason)
    },
  })
  return Object.defineProperty(response, 'body', { value: body })
}

/** A browser reports a server that does not allow the page's origin as unreachable, so the message mentions `SYNC_ORIGINS`. */
function unreachable(address: string, cause: unknown): unknown {
  const { origin } = new URL(address)
  if (origin === location.origin || (cause as { name?: unknown }).name !== 'TypeError') return cause
  return new SyncError(
    'offline',
    `${origin} cannot be reached, or does not allow requests from ${location.origin}. Check that SYNC_ORIGINS of the server lists that origin. Local data remains available.`,
    { cause },
  )
}

/** Reads a response completely. */
async function wholeAnswer(response: Response): Promise<HttpAnswer> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const { ok, status, headers, redirected, url } = response
  return {
    ...{ ok, status, headers, redirected, url },
    bytes: async () => bytes,
    arrayBuffer: async () => bytes.slice().buffer,
    json: async () => JSON.parse(new TextDecoder().decode(bytes)) as unknown,
  }
}
