import { SyncError } from '@godwit/protocol'
import type { Platform } from '../open-sdk.js'
import type { HttpAnswer } from '../sync/answer.js'

/** A browser opens six connections to a server that speaks HTTP/1.1: two are left to the app, one is the stream of events, one a file. */
const MAX_CONCURRENT = 2

/** How a device asks its server in a browser: with its session alone, never with cookies of the page. */
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

/** To a page, a server of another origin that does not allow its origin looks like one that is away. */
function unreachable(address: string, cause: unknown): unknown {
  const { origin } = new URL(address)
  if (origin === location.origin || (cause as { name?: unknown }).name !== 'TypeError') return cause
  return new SyncError(
    'offline',
    `${origin} cannot be reached, or does not allow pages of ${location.origin}: expected that origin in SYNC_ORIGINS of the server. Data stays usable.`,
    { cause },
  )
}

/** An answer whose bytes are here. */
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
