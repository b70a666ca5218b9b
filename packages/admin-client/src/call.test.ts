import { verifies } from '@godwit/testing'
import { describe, expect, test } from '@jest/globals'
import { AdminClient, isSyncError, type SyncError } from './index.js'

const url = 'http://sync.example'
const json = (body: unknown, init: ResponseInit = {}) => Response.json(body, init)

interface RecordedRequest {
  readonly address: string
  readonly request: RequestInit
}

/** A client with a recorded list of requests, and responses in order; the last response repeats. */
function clientWith(...answers: (() => Response | Promise<Response>)[]) {
  const asked: RecordedRequest[] = []
  const fetch = async (address: string, request: RequestInit) => {
    asked.push({ address, request })
    return (answers[asked.length - 1] ?? answers.at(-1) ?? (() => json({})))()
  }
  return { asked, fetch, admin: new AdminClient({ url: `${url}/`, token: 'secret', fetch }) }
}

async function failureOf(promise: Promise<unknown>): Promise<SyncError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!isSyncError(error)) throw new Error('expected a SyncError')
  return error
}

describe('a call', () => {
  test('sends method, path, token and JSON body', async () => {
    const { admin, asked } = clientWith(() => json({ login: 'ada' }))
    expect(
      await admin.users.create({ login: 'ada', password: 'a long one', team: 'north' }, { role: 'operator' }),
    ).toEqual({ login: 'ada' })
    expect(asked).toEqual([
      {
        address: `${url}/rc/v1/users`,
        request: {
          method: 'POST',
          headers: {
            accept: 'application/json, text/plain',
            'content-type': 'application/json',
            'X-Sync-API-TOKEN': 'secret',
          },
          body: '{"attributes":{"login":"ada","password":"a long one","team":"north"},"role":"operator"}',
        },
      },
    ])
  })

  test('percent-encodes names in paths, and appends the query', async () => {
    const { admin, asked } = clientWith(() => json([]))
    await admin.users.readDocument('a/b c', 'Pro:duct', 'md?')
    await admin.users.list({ role: 'admin' })
    await admin.users.list()
    expect(asked.map(({ address }) => address.slice(url.length))).toEqual([
      '/rc/v1/users/a%2Fb%20c/sources/Pro%3Aduct/docs/md%3F',
      '/rc/v1/users?role=admin',
      '/rc/v1/users',
    ])
  })

  test.each(['', '.', '..', '\ud800'])(
    'refuses the name %j, whose path leads nowhere or to another route',
    async name => {
      const { admin, asked } = clientWith()
      expect(await failureOf(admin.users.delete(name))).toMatchObject({
        code: 'body_invalid',
        message: expect.stringContaining('user_id'),
      })
      expect(asked).toEqual([])
    },
  )

  test('reads text as text, JSON as JSON and nothing as {}', async () => {
    const { admin } = clientWith(
      () => new Response('37', { headers: { 'content-type': 'Text/Plain; charset=utf-8' } }),
      () => json({ 1: { name: 'Phone' } }),
      () => new Response(null),
    )
    expect(await admin.users.readDocument('ada', 'Product', 'md_size')).toBe('37')
    expect(await admin.users.readDocument('ada', 'Product', 'md')).toEqual({ 1: { name: 'Phone' } })
    expect(await admin.users.delete('ada')).toEqual({})
  })

  test('reports an answer that is not from a Godwit server', async () => {
    const { admin } = clientWith(
      () => new Response('<html>welcome', { headers: { 'content-type': 'application/json' } }),
    )
    expect(await failureOf(admin.users.get('ada'))).toMatchObject({
      code: 'internal',
      message: expect.stringContaining('<html>welcome'),
    })
  })
})

test.each(['127.0.0.1:8675', 'localhost:8675', 'ws://sync.example', 'http://', ' '])(
  'the url %j is refused, with an example of a valid one',
  async wrong => {
    const error = { code: 'value_not_allowed', message: expect.stringContaining('like http://127.0.0.1:8675') }
    expect(() => new AdminClient({ url: wrong, token: 'x' })).toThrow(expect.objectContaining(error))
    expect(await failureOf(AdminClient.login({ url: wrong, login: 'admin', password: 'x' }))).toMatchObject(error)
  },
)

describe('a failed call', () => {
  test('has the code, message and details of the server', async () => {
    const { admin } = clientWith(() =>
      json(
        {
          type: '/docs/errors#body_invalid',
          title: 'Invalid',
          status: 422,
          code: 'body_invalid',
          detail: 'expected text, got 5',
          errors: [{ path: '/user_id', message: 'text' }],
        },
        { status: 422 },
      ),
    )
    const error = await failureOf(admin.push.objects('Product', 'ada', {}))
    expect(error).toMatchObject({ code: 'body_invalid', message: 'expected text, got 5', retryable: false })
    expect(error.details).toEqual({
      status: 422,
      code: 'body_invalid',
      errors: [{ path: '/user_id', message: 'text' }],
    })
  })

  test('has status and status message when the body is empty', async () => {
    verifies('rest.errors.empty-body')

    const { admin } = clientWith(() => new Response(null, { status: 503, statusText: 'Service Unavailable' }))
    const error = await failureOf(admin.users.get('ada'))
    expect(error).toMatchObject({ code: 'store_unavailable', retryable: true, details: { status: 503 } })
    expect(error.message).toBe('GET /rc/v1/users/<user_id>: 503 Service Unavailable')
  })

  test.each([
    [400, 'malformed_json'],
    [401, 'token_invalid'],
    [403, 'role_insufficient'],
    [404, 'route_not_found'],
    [405, 'method_not_allowed'],
    [409, 'conflict'],
    [413, 'body_too_large'],
    [415, 'unsupported_media_type'],
    [418, 'body_invalid'],
    [422, 'body_invalid'],
    [429, 'too_many_attempts'],
    [500, 'internal'],
    [502, 'backend_failed'],
    [503, 'store_unavailable'],
    [504, 'backend_timeout'],
  ])('without a body, the status %i means %s', async (status, code) => {
    const { admin } = clientWith(() => new Response(null, { status }))
    expect(await failureOf(admin.store.write('notes', 'text'))).toMatchObject({
      code,
      message: `POST /rc/v1/store/<doc>: ${status}`,
      details: { status },
    })
  })

  test('has the status when the code is unknown', async () => {
    const { admin } = clientWith(() => json({ code: 'moon_is_full', detail: 'come back later' }, { status: 504 }))
    expect(await failureOf(admin.users.get('ada'))).toMatchObject({
      code: 'backend_timeout',
      message: 'come back later',
      details: { code: 'moon_is_full' },
    })
  })

  test('keeps the message of a proxy, but not its HTML page', async () => {
    const { admin } = clientWith(
      () => new Response('upstream is away', { status: 502, statusText: 'Bad Gateway' }),
      () => new Response('<html>…', { status: 502, statusText: 'Bad Gateway' }),
    )
    expect((await failureOf(admin.users.get('ada'))).message).toBe('upstream is away')
    expect((await failureOf(admin.users.get('ada'))).message).toBe('GET /rc/v1/users/<user_id>: 502 Bad Gateway')
  })

  test('says how long to wait', async () => {
    const { admin } = clientWith(() => new Response(null, { status: 429, headers: { 'retry-after': '17' } }))
    expect(await failureOf(admin.users.get('ada'))).toMatchObject({
      code: 'too_many_attempts',
      details: { retry_after: 17 },
      retryable: true,
    })
  })

  test('without a network has the code offline, and its cause', async () => {
    const cause = new TypeError('fetch failed')
    const { admin } = clientWith(() => Promise.reject(cause))
    expect(await failureOf(admin.users.get('ada'))).toMatchObject({ code: 'offline', cause, retryable: true })
  })

  test('that was aborted rejects with the reason of its signal', async () => {
    const stop = new AbortController()
    const { admin } = clientWith(() => {
      stop.abort(new Error('the page was closed'))
      return Promise.reject(new TypeError('fetch failed'))
    })
    await expect(admin.users.get('ada', { signal: stop.signal })).rejects.toThrow('the page was closed')
  })
})

describe('a login', () => {
  test('returns a client that uses the token', async () => {
    const { asked, fetch } = clientWith(
      () => json({ token: 'fresh', expires_at: '2030-01-01T00:00:00Z', login: 'admin', role: 'admin' }),
      () => json(['ada']),
    )
    const admin = await AdminClient.login({ url, login: 'admin', password: 'secret', fetch })
    expect(admin.token).toBe('fresh')
    expect(await admin.users.list()).toEqual(['ada'])
    expect(asked.map(({ request }) => (request.headers as Record<string, string>)['X-Sync-API-TOKEN'])).toEqual([
      undefined,
      'fresh',
    ])
  })

  test('keeps its token out of printed output', () => {
    const { admin } = clientWith()
    expect(JSON.stringify(admin)).not.toContain('secret')
  })
})
