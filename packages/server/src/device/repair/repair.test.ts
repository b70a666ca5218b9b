import type { GotObjects, Versions } from '@godwit/protocol'
import { expect, test } from '@jest/globals'
import { openServer } from '../../testing/open-server.js'

const IDS = ['1', '10', '2', '__proto__', 'a', 'é', '😀']

async function world() {
  const on = openServer()
  const { headers } = await on.device('ada')
  const collection = { source: 'Visit', partition: 'user:ada' }
  for (const id of IDS)
    await on.store.collections.apply(collection, { merge: JSON.parse(`{${JSON.stringify(id)}:{"n":"${id}"}}`) })
  await on.store.collections.apply(collection, { remove: ['2'] })
  const ask = async <T>(method: string, path: string, body?: unknown): Promise<{ status: number; body: T }> => {
    const answer = await on.call(method, `/app/v1/Visit/${path}`, { headers, ...(body !== undefined && { body }) })
    return { status: answer.status, body: (await answer.json()) as T }
  }
  return { on, ask, head: await on.store.collections.open(collection) }
}

test('lists live objects with their versions, page by page in order of id', async () => {
  const { ask, head } = await world()
  const pages: Versions[] = []
  for (let after: string | undefined; ; ) {
    const query = after === undefined ? '' : `&after=${encodeURIComponent(after)}`
    const { body } = await ask<Versions>('GET', `versions?limit=2${query}`)
    pages.push(body)
    after = body.next
    if (after === undefined) break
  }
  const listed = pages.flatMap(({ versions }) => Object.entries(versions))
  expect(listed.map(([id]) => id)).toEqual(['1', '10', '__proto__', 'a', 'é', '😀'])
  expect(listed.map(([, version]) => version)).toEqual([1, 2, 4, 5, 6, 7])
  expect(pages.map(({ next }) => next)).toEqual(['10', 'a', '😀', undefined])
  expect(new Set(pages.map(({ epoch }) => epoch))).toEqual(new Set([head.epoch]))
})

test('gives the objects of these ids that live, each with its version', async () => {
  const { ask, head } = await world()
  const { body } = await ask<GotObjects>('POST', 'objects', { ids: ['2', '__proto__', 'é', 'never'] })
  expect(body.epoch).toBe(head.epoch)
  expect(Object.entries(body.objects)).toEqual([
    ['__proto__', { n: '__proto__' }],
    ['é', { n: 'é' }],
  ])
  expect(Object.entries(body.versions)).toEqual([
    ['__proto__', 4],
    ['é', 6],
  ])
  expect((await ask('POST', 'objects', { ids: Array.from({ length: 501 }, (_, at) => `${at}`) })).status).toBe(422)
})

test('gives a mebibyte of objects at most, or one, and names the ids that are left', async () => {
  const { on, ask } = await world()
  const collection = { source: 'Visit', partition: 'user:ada' }
  const sizes = { large: 600_000, larger: 600_000, largest: 1_500_000 }
  for (const [id, size] of Object.entries(sizes))
    await on.store.collections.apply(collection, { merge: { [id]: { note: 'x'.repeat(size) } } })
  const answers: (readonly string[])[] = []
  for (let ids: readonly string[] = ['a', 'large', 'never', '__proto__', 'larger', 'largest', 'é']; ids.length > 0; ) {
    const { body } = await ask<GotObjects>('POST', 'objects', { ids })
    answers.push(Object.keys(body.objects))
    expect(Object.keys(body.versions)).toEqual(Object.keys(body.objects))
    ids = body.rest ?? []
  }
  expect(answers).toEqual([['a', 'large', '__proto__'], ['larger'], ['largest'], ['é']])
})

test('each device asks about its own partition', async () => {
  const { on } = await world()
  const { headers } = await on.device('eve')
  const answer = await on.call('GET', '/app/v1/Visit/versions', { headers })
  expect(await answer.json()).toMatchObject({ versions: {} })
  const objects = await on.call('POST', '/app/v1/Visit/objects', { headers, body: { ids: ['a'] } })
  expect(await objects.json()).toMatchObject({ objects: {} })
})
