import { SyncError } from '@godwit/protocol'
import type { Platform } from '../open-sdk.js'
import type { HttpAnswer } from '../sync/answer.js'

/** A browser opens six connections to an HTTP/1.1 server. The device uses four at most: two requests, the event stream and one file. */
const MAX_CONCURRENT = 2

/** The fetch functions of a device in a browser: they send its session, never cookies of the page. */
export function browserFetch(): Pick<Required<Platform>, 'whole' | 'stream' | 'fetch' | 'pullsByBody'> {
  const plain: typeof fetch = async (input, init) => {
    try {
      return await fetch(input, { ...init, credentials: 'omit' })
    } catch (cause) {
      throw unreachable(String(input), cause)
    }
  }
  const waiting: (() => void)[] = []
  let running = 0
  const turn = async (): Promise<void> => {
    if (running >= MAX_CONCURRENT) await new Promise<void>(resolve => waiting.push(resolve))
    else running++
  }
  const leave = (): void => {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
  return {
    fetch: plain,
    stream: plain,
    pullsByBody: true,
    async whole(url, request) {
      await turn()
      try {
        return await wholeAnswer(await plain(url, request))
      } finally {
        leave()
      }
    },
  }
}

/** A browser reports a server that does not allow the page's origin as unreachable, so the message mentions `SYNC_ORIGINS`. */
function unreachable(address: string, cause: unknown): unknown {
  const { origin } = new URL(address)
  if (origin === location.origin || (cause as { name?: unknown }).name !== 'TypeError') return cause
  return new SyncError(
    'offline',
    `${origin} cannot be reached, or does not allow pages of ${location.origin}: expected that origin in SYNC_ORIGINS of the server. Data stays usable.`,
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
