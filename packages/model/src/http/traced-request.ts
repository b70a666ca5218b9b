import type { Trace } from '../live/trace.js'
import { bytesOf, type HttpAnswer } from '../platform/http-response.js'
import { moment } from '../platform/moment.js'

interface RequestFacts {
  readonly method: string
  readonly path: string
  /** Size of the request's body. */
  readonly sent: number
}

/** Runs a request and reports it when it ends. Its answer is counted while it is read. */
export async function tracedRequest<T>(
  trace: Trace,
  request: RequestFacts,
  run: (counted: <A extends HttpAnswer>(answer: A) => HttpAnswer) => Promise<T>,
): Promise<T> {
  const since = moment()
  let status: number | null = null
  let received = 0
  const countBytes = (answer: HttpAnswer): HttpAnswer => {
    status = answer.status
    const bytes = async (): Promise<Uint8Array> => {
      const read = await bytesOf(answer)
      received = read.length
      return read
    }
    return {
      ok: answer.ok,
      status: answer.status,
      headers: answer.headers,
      bytes,
      arrayBuffer: async () => (await bytes()).slice().buffer,
      json: async () => JSON.parse(new TextDecoder().decode(await bytes())) as unknown,
    }
  }
  try {
    return await run(countBytes)
  } catch (error) {
    const answered = (error as { readonly status?: unknown } | null)?.status
    if (typeof answered === 'number') status = answered
    throw error
  } finally {
    trace.emit({ kind: 'request', ...request, status, received, milliseconds: moment() - since })
  }
}
