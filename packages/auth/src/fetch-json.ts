import { SyncError } from '@godwit/protocol'
import { type GuardedFetch, messageOf } from '@godwit/source'

/** The largest document of an issuer, in bytes: its configuration, keys or a token response. */
const MAX_BYTES = 256 * 1024
/** Milliseconds for one document. */
const TIMEOUT = 5000

/** A form that is posted, and further headers. */
export interface FormRequest {
  readonly form?: { readonly [name: string]: string }
  readonly headers?: { readonly [name: string]: string }
}

/** Fetches a JSON object from an identity provider. Throws `backend_failed`, whose cause says why. */
export async function fetchJson(
  fetch: GuardedFetch,
  url: string,
  request: FormRequest = {},
): Promise<{ readonly [name: string]: unknown }> {
  const signal = AbortSignal.timeout(TIMEOUT)
  try {
    const { status, body } = await fetch(url, { ...requestOf(request), maxBytes: MAX_BYTES, signal })
    if (status !== 200) throw new Error(`expected the status 200, got ${status}`)
    const value: unknown = JSON.parse(body)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as { [name: string]: unknown }
    throw new Error('expected a JSON object, got something else')
  } catch (cause) {
    const reason = signal.aborted ? `no complete response within ${TIMEOUT} ms` : messageOf(cause)
    throw new SyncError('backend_failed', 'The identity provider could not be reached. Try again.', {
      cause: new Error(`${url}: ${reason}`, { cause }),
    })
  }
}

const requestOf = ({ form, headers }: FormRequest) => ({
  headers: {
    accept: 'application/json',
    ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
    ...headers,
  },
  ...(form !== undefined && { body: new URLSearchParams(form).toString() }),
})
