import { BACKEND_SIGNATURE_HEADER } from '@godwit/protocol'
import { signCall } from '@godwit/source'

/** A backend under test. */
export interface BackendUnderTest {
  /** The address, with the prefix: `http://127.0.0.1:9000/sync`. */
  readonly url: string
  readonly secret: string
  /** The source, and the partition and user of its calls. */
  readonly source: string
  readonly user: string
  readonly partition: string
  readonly fetch: typeof fetch
  readonly clock: () => number
}

/** A response that was read whole. */
export interface BackendReply {
  readonly status: number
  readonly type: string
  readonly text: string
}

/** How a call differs from a correct one. */
export interface CallFaults {
  readonly secret?: string
  /** Seconds by which the time of the signature is off. */
  readonly off?: number
  readonly isUnsigned?: boolean
}

/** Sends one call as the server does. */
export async function sendCall(
  { url, secret, source, user, partition, fetch, clock }: BackendUnderTest,
  operation: string,
  members: object,
  faults: CallFaults = {},
): Promise<BackendReply> {
  const place = operation === 'authenticate' ? {} : { resource: source, partition, user }
  const body = JSON.stringify({ operation, ...place, ...members })
  const time = Math.floor(clock() / 1000) + (faults.off ?? 0)
  const signature = await signCall({ secret: faults.secret ?? secret, body, time })
  const response = await fetch(`${url.replace(/\/$/, '')}/${operation}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(!faults.isUnsigned && { [BACKEND_SIGNATURE_HEADER]: signature }),
    },
    body,
  })
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    text: await response.text(),
  }
}
