/** Returns an error response in the form of the server. */
export const problem = (status: number, code: string, more: object = {}): Response =>
  new Response(JSON.stringify({ type: `/docs/errors#${code}`, title: code, status, detail: code, code, ...more }), {
    status,
    headers: { 'content-type': 'application/problem+json' },
  })
