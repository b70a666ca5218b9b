import type { Attributes, Outcome, Page, PushOutcomes, SentMutation, UndecidedMutation } from '@godwit/protocol'
import { defineSource, refusal } from '@godwit/source'
import { describe, expect, test } from '@jest/globals'
import { City, failure, json, openServer } from '../../testing/open-server.js'

/** A server whose backend fails at first with an unknown result, and a device that has sent one create. */
async function inDoubt(again: () => string | Promise<string> = () => 'real') {
  const calls: string[] = []
  const Note = defineSource<Attributes>({
    name: 'Note',
    pollInterval: -1,
    create(_attributes, { idempotencyKey }) {
      calls.push(idempotencyKey)
      if (calls.length === 1) throw new Error('the line broke')
      return again()
    },
  })
  const on = openServer({ sources: [City, Note], limits: { pushWait: 0.5 } })
  const admin = await on.as()
  const ada = await on.device('ada')
  const page = await json<Page>(await on.call('GET', '/app/v1/Note', { headers: ada.headers }))
  const mutation = {
    number: 1,
    key: 'key-of-the-first-1',
    operation: 'create',
    object: 't1',
    attributes: { a: 'a secret' },
    was: {},
  }
  const send = async (): Promise<Outcome | undefined> => {
    const body = { epoch: page.epoch, acknowledged: 0, mutations: [mutation] }
    const answer = await on.call('POST', '/app/v1/Note', { headers: ada.headers, body })
    return (await json<PushOutcomes>(answer)).outcomes.at(-1)
  }
  const list = async (query = '') =>
    json<UndecidedMutation[]>(await on.call('GET', `/rc/v1/mutations${query}`, { headers: admin }))
  const decide = (id: string, how: string, body?: object) =>
    on.call('POST', `/rc/v1/mutations/${id}/${how}`, { headers: admin, ...(body && { body }) })
  const show = async (id: string) =>
    json<SentMutation>(await on.call('GET', `/rc/v1/mutations/${id}`, { headers: admin }))
  expect(await send()).toMatchObject({ status: 'in_doubt' })
  return { on, ada, calls, send, list, decide, show }
}

describe('mutations without an outcome', () => {
  test('are listed by state, page by page, without attributes', async () => {
    const { ada, list } = await inDoubt()
    const [only, ...others] = await list()
    expect(others).toEqual([])
    expect(only).toMatchObject({
      state: 'in_doubt',
      source: 'Note',
      partition: 'user:ada',
      user: 'ada',
      client: ada.client,
      operation: 'create',
      object: 't1',
      key: 'key-of-the-first-1',
      attempts: 1,
      error: { code: 'backend_failed' },
    })
    expect(JSON.stringify(only)).not.toContain('secret')
    expect(await list('?state=queued')).toEqual([])
    expect(await list(`?after=${only?.id}`)).toEqual([])
  })

  test('are sent again when an operator says so, with the same key', async () => {
    const { calls, send, list, decide } = await inDoubt()
    const [{ id } = { id: '' }] = await list()
    expect(await json(await decide(id, 'retry'))).toEqual({ status: 'applied', link: 'real' })
    expect(calls).toEqual(['key-of-the-first-1', 'key-of-the-first-1'])
    expect(await send()).toMatchObject({ status: 'applied', link: 'real' })
    expect(await list()).toEqual([])
  })

  test.each([
    [
      'refuses',
      () => Promise.reject(refusal('no more')),
      { status: 'refused', error: { code: 'refused', message: 'no more' } },
    ],
    [
      'fails again',
      () => Promise.reject(new Error('the line broke')),
      { status: 'in_doubt', error: expect.anything() },
    ],
    ['is slower than a push may be', () => new Promise<string>(() => {}), { status: 'queued' }],
  ])('return the outcome to the operator who retries them when the source %s', async (_, again, told) => {
    const { on, list, decide } = await inDoubt(again)
    const [{ id } = { id: '' }] = await list()
    expect(await json(await decide(id, 'retry'))).toEqual(told)
    await on.server.close()
  })

  test('are refused when an operator discards them, and block nothing', async () => {
    const { calls, send, list, decide } = await inDoubt()
    const [{ id } = { id: '' }] = await list()
    expect((await decide(id, 'discard')).status).toBe(200)
    expect(await send()).toMatchObject({ status: 'refused', error: { code: 'discarded' } })
    expect(await list()).toEqual([])
    expect(calls).toHaveLength(1)
    expect(await failure(await decide(id, 'discard'))).toBe('422 value_not_allowed')
    expect(await failure(await decide(id, 'retry'))).toBe('422 value_not_allowed')
  })

  test.each([
    ['discarded', 'discard', -1],
    ['discarded', 'discard', 86_400],
    ['applied by hand', 'settle', -1],
    ['applied by hand', 'settle', 86_400],
  ] as const)(
    'make the partition due when they are %s (%s), with poll_interval %i',
    async (_, decision, pollInterval) => {
      const backend: Record<string, Attributes> = {}
      const Note = defineSource<Attributes>({
        name: 'Note',
        pollInterval,
        query: () => ({ ...backend }),
        create(attributes) {
          backend['real'] = attributes
          throw new Error('the line broke')
        },
      })
      const on = openServer({ sources: [Note], limits: { pushWait: 0.5 } })
      const [admin, ada] = [await on.as(), await on.device('ada')]
      const pull = async (token = '') =>
        json<Page>(await on.call('GET', `/app/v1/Note?token=${token}`, { headers: ada.headers }))
      const { epoch } = await pull()
      const mutation = { number: 1, key: 'key-of-the-first-1', operation: 'create', object: 't1', attributes: { a: 1 } }
      const body = { epoch, acknowledged: 0, mutations: [mutation] }
      await on.call('POST', '/app/v1/Note', { headers: ada.headers, body })
      // Serves the due time set by the broken call before the operator decides.
      delete backend['real']
      await pull()
      backend['real'] = { a: 1 }
      const { token, ...before } = await pull()
      expect(before).not.toHaveProperty('insert')
      const [only] = await json<UndecidedMutation[]>(await on.call('GET', '/rc/v1/mutations', { headers: admin }))
      // The operator errs, and the query corrects that.
      const found = decision === 'settle' && { body: { object: 'real', attributes: { a: 2 } } }
      await on.call('POST', `/rc/v1/mutations/${only?.id}/${decision}`, { headers: admin, ...found })
      expect(await pull(token)).toMatchObject({ insert: { real: { a: 1 } } })
    },
  )

  test('show what the device wanted and the object as it is now', async () => {
    const { list, show } = await inDoubt()
    const [{ id } = { id: '' }] = await list()
    expect(await show(id)).toMatchObject({
      id,
      state: 'in_doubt',
      attributes: { a: 'a secret' },
      was: {},
      owners: [],
      present: null,
      outcome: null,
      error: { code: 'backend_failed' },
    })
  })

  test('are applied by hand with the real id and what the backend made of them', async () => {
    const { on, ada, calls, send, list, decide, show } = await inDoubt()
    const [{ id } = { id: '' }] = await list()
    const body = { object: 'real-7', attributes: { b: 2 } }
    expect(await json(await decide(id, 'settle', body))).toEqual({ status: 'applied', link: 'real-7' })
    const page = await json<Page>(await on.call('GET', '/app/v1/Note', { headers: ada.headers }))
    expect(page.insert).toEqual({ 'real-7': { a: 'a secret', b: 2 } })
    expect(page.links).toEqual({ t1: 'real-7' })
    expect(await show(id)).toMatchObject({
      state: 'decided',
      present: { attributes: { a: 'a secret', b: 2 } },
      outcome: { status: 'applied', link: 'real-7' },
    })
    expect(await send()).toMatchObject({ status: 'applied', link: 'real-7' })
    expect(await list()).toEqual([])
    expect(calls).toHaveLength(1)
    expect(await failure(await decide(id, 'settle'))).toBe('422 value_not_allowed')
  })

  test('that are updates or deletes take what fits them, and nothing else', async () => {
    const Note = defineSource<Attributes>({
      name: 'Note',
      pollInterval: -1,
      update: () => Promise.reject(new Error('the line broke')),
      delete: () => Promise.reject(new Error('the line broke')),
    })
    const on = openServer({ sources: [City, Note], limits: { pushWait: 0.2 } })
    const [admin, { headers }] = [await on.as(), await on.device('ada')]
    const objects = { x: { a: 0, c: 1 }, y: { a: 0 } }
    await on.call('POST', '/app/v1/Note/push_objects', { headers: admin, body: { user_id: 'ada', objects } })
    const { epoch } = await json<Page>(await on.call('GET', '/app/v1/Note', { headers }))
    const mutations = [
      { number: 1, key: 'key-of-an-update', operation: 'update', object: 'x', attributes: { a: 1 }, was: { a: 0 } },
      { number: 2, key: 'key-of-a-deletion', operation: 'delete', object: 'y', was: { a: 0 } },
    ]
    await on.call('POST', '/app/v1/Note', { headers, body: { epoch, acknowledged: 0, mutations } })
    const [update, deletion] = await json<UndecidedMutation[]>(
      await on.call('GET', '/rc/v1/mutations', { headers: admin }),
    )
    const settle = (one: UndecidedMutation | undefined, body: object) =>
      on.call('POST', `/rc/v1/mutations/${one?.id}/settle`, { headers: admin, body })
    expect(await failure(await settle(update, { object: 'z' }))).toBe('422 value_not_allowed')
    expect(await failure(await settle(deletion, { attributes: { a: 1 } }))).toBe('422 value_not_allowed')
    expect(await failure(await settle(update, { attribute: {} }))).toBe('422 body_invalid')
    await on.call('POST', '/app/v1/Note/push_objects', {
      headers: admin,
      body: { user_id: 'ada', objects: { x: { c: 2 } } },
    })
    expect(await json(await settle(update, { attributes: { __proto__: null, a: 5 } }))).toEqual({ status: 'applied' })
    expect(await json(await settle(deletion, {}))).toEqual({ status: 'applied' })
    const page = await json<Page>(await on.call('GET', '/app/v1/Note', { headers }))
    expect(page.insert).toEqual({ x: { a: 5, c: 2 } })
  })

  test('an unknown id is a clear error', async () => {
    const { decide } = await inDoubt()
    const place = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url')
    const others = [
      place('Note', 'user:ada', 'another', 1),
      place('Nothing', 'user:ada', 'key-of-the-first-1', 1),
      place('__proto__', 'constructor', '__proto__', 1),
      place('Note', 'user:ada', 5, 1),
      place('Note', '', '\0', 1e300),
      place(),
    ]
    for (const id of ['nonsense', '__proto__', 'x'.repeat(3000), ...others]) {
      expect(await failure(await decide(id, 'retry'))).toBe('404 mutation_not_found')
      expect(await failure(await decide(id, 'discard'))).toBe('404 mutation_not_found')
      expect(await failure(await decide(id, 'settle'))).toBe('404 mutation_not_found')
    }
  })

  test('mutations that wait for a doubt run once it is discarded', async () => {
    const told: unknown[] = []
    const Note = defineSource<Attributes>({
      name: 'Note',
      pollInterval: -1,
      update(_id, changes) {
        told.push(changes)
        if (told.length === 1) throw new Error('the line broke')
      },
    })
    const on = openServer({ sources: [City, Note], limits: { pushWait: 0.2, sweepInterval: 3600 } })
    const admin = await on.as()
    const { headers } = await on.device('ada')
    const objects = { x: { a: 0 } }
    await on.call('POST', '/app/v1/Note/push_objects', { headers: admin, body: { user_id: 'ada', objects } })
    const { epoch } = await json<Page>(await on.call('GET', '/app/v1/Note', { headers }))
    const update = (number: number) => ({
      number,
      key: `key-number-${number}-of-ada`,
      operation: 'update',
      object: 'x',
      attributes: { a: number },
      was: { a: number - 1 },
    })
    const mutations = [update(1), update(2)]
    await on.call('POST', '/app/v1/Note', { headers, body: { epoch, acknowledged: 0, mutations } })
    expect(told).toEqual([{ a: 1 }])
    const [{ id } = { id: '' }] = await json<UndecidedMutation[]>(
      await on.call('GET', '/rc/v1/mutations', { headers: admin }),
    )
    await on.call('POST', `/rc/v1/mutations/${id}/discard`, { headers: admin })
    for (let waits = 0; told.length < 2 && waits < 200; waits++) await new Promise(resolve => setTimeout(resolve, 10))
    expect(told).toEqual([{ a: 1 }, { a: 2 }])
  })
})
