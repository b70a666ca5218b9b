import type { ObjectPage, PartitionState } from '@godwit/protocol'
import { defineSource } from '@godwit/source'
import { expect, test } from '@jest/globals'
import { json, openServer } from '../../testing/open-server.js'

async function world(objects: Record<string, object>) {
  const on = openServer()
  const headers = await on.as()
  const body = { user_id: '*', objects }
  if (Object.keys(objects).length > 0) await on.call('POST', '/app/v1/City/push_objects', { headers, body })
  const get = (path: string) => on.call('GET', `/rc/v1/users/*/sources/City${path}`, { headers })
  const page = async (query = '') => json<ObjectPage>(await get(`/objects${query}`))
  const ids = async (query: string) => (await page(query)).objects.map(({ id }) => id)
  return { on, headers, get, page, ids }
}

const CITIES = {
  1: { name: 'Porto', country: 'PT', people: 237_591 },
  2: { name: 'Lisboa', country: 'PT', people: 517_802 },
  3: { name: 'Ystad', country: 'SE', note: 'a port "with" quotes' },
}

test('objects come in order of id with their versions, a page at a time', async () => {
  const { page } = await world(CITIES)
  const first = await page('?limit=2')
  expect(first.objects).toEqual([
    { id: '1', version: 1, attributes: CITIES[1] },
    { id: '2', version: 1, attributes: CITIES[2] },
  ])
  expect(first.next).toBe('2')
  const last = await page('?limit=2&after=2')
  expect([last.objects.map(({ id }) => id), last.next]).toEqual([['3'], undefined])
})

test('one is found by its id, several by their text', async () => {
  const { ids, page } = await world(CITIES)
  expect(await ids('?id=2')).toEqual(['2'])
  expect(await ids('?id=9')).toEqual([])
  const [one] = (await page('?id=2')).objects
  expect(Math.abs(Date.parse(one?.changed_at ?? '') - Date.now())).toBeLessThan(60_000)
  expect(await ids('?contains=port')).toEqual(['1', '3'])
  expect(await ids('?contains=port&attribute=name')).toEqual(['1'])
  expect(await ids('?attribute=note')).toEqual(['3'])
  expect(await ids('?contains=237591&attribute=people')).toEqual(['1'])
  expect(await ids(`?contains=${encodeURIComponent('"with"')}`)).toEqual(['3'])
  expect(await ids('?contains=name')).toEqual([])
  expect(await ids('?attribute=__proto__')).toEqual([])
})

test('a search reads a bounded number of objects per request, and continues after them', async () => {
  const many = Object.fromEntries(Array.from({ length: 10_600 }, (_, n) => [String(100_000 + n), { n: n % 7 }]))
  const { page } = await world({ ...many, 999999: { note: 'the last one' } })
  const first = await page('?contains=last')
  expect(first).toMatchObject({ objects: [], looked: 10_000 })
  const second = await page(`?contains=last&after=${first.next}`)
  expect(second.objects.map(({ id }) => id)).toEqual(['999999'])
  expect(second.next).toBeUndefined()
})

test('a read returns the state of a partition, and does not create it', async () => {
  const { get, on } = await world({})
  const never = { changed_at: null, queried_at: null, next_query: null, error: null, pending_removals: null }
  const empty = { partition: '*', version: 0, count: 0, query_requested: false, ...never }
  expect(await json<PartitionState>(await get(''))).toEqual(empty)
  expect(await on.store.collections.head({ source: 'City', partition: '*' })).toBeUndefined()
  const filled = await world(CITIES)
  const state = await json<PartitionState>(await filled.get(''))
  expect(state).toMatchObject({ version: 1, count: 3 })
  expect(Math.abs(Date.parse(state.changed_at ?? '') - Date.now())).toBeLessThan(60_000)
})

test('a source that passes through shows ids alone, also of one object', async () => {
  const Secret = defineSource<object>({
    name: 'Secret',
    partition: 'app',
    passThrough: true,
    query: () => ({ a: { text: 'not kept' } }),
  })
  const on = openServer({ sources: [Secret] })
  const { headers } = await on.device('ada')
  await on.call('GET', '/app/v1/Secret', { headers })
  const admin = await on.as()
  for (const query of ['', '?id=a']) {
    const path = `/rc/v1/users/*/sources/Secret/objects${query}`
    const { objects } = await json<ObjectPage>(await on.call('GET', path, { headers: admin }))
    expect(objects).toMatchObject([{ id: 'a', attributes: {} }])
    expect(JSON.stringify(objects)).not.toContain('digest')
  }
})
