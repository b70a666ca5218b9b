import { isSyncError, SyncError } from '@godwit/protocol'
import type { ProviderFetch, ProviderRequest } from '@godwit/source'

/** The largest document of an issuer, in bytes: its configuration, keys or a token response. */
const MAX_BYTES = 256 * 1024
/** Milliseconds for one document. */
const TIMEOUT = 5000

/** Fetches a JSON object from an identity provider. Throws `backend_failed`, whose cause says why. */
export async function fetchJson(
  fetch: ProviderFetch,
  url: string,
  request: Pick<ProviderRequest, 'form' | 'headers'> = {},
): Promise<{ readonly [name: string]: unknown }> {
  try {
    const { status, body } = await fetch(url, { ...request, maxBytes: MAX_BYTES, timeout: TIMEOUT })
    if (status !== 200) throw new Error(`expected the status 200, got ${status}`)
    const value: unknown = JSON.parse(body)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as { [name: string]: unknown }
    throw new Error('expected a JSON object, got something else')
  } catch (cause) {
    const reason = isSyncError(cause) || cause instanceof Error ? cause.message : String(cause)
    throw new SyncError('backend_failed', 'The identity provider could not be reached. Try again.', {
      cause: new Error(`${url}: ${reason}`, { cause }),
    })
  }
}
