const NDJSON = 'application/x-ndjson'

const utf8 = new TextEncoder()

/**
 * Returns a response whose lines are written as the parts arrive. The first part is awaited, so that an error before it rejects and becomes a status; a
 * later one breaks the connection off, which the server notices.
 */
export async function ndjsonResponse(parts: AsyncIterable<unknown>): Promise<Response> {
  const iterator = parts[Symbol.asyncIterator]()
  let next: IteratorResult<unknown> | undefined = await iterator.next()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = next ?? (await iterator.next())
      next = undefined
      if (done) controller.close()
      else controller.enqueue(utf8.encode(`${JSON.stringify(value)}\n`))
    },
    async cancel() {
      await iterator.return?.()
    },
  })
  return new Response(body, { headers: { 'content-type': NDJSON } })
}

/** True for a stream of parts. */
export const isStream = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value
