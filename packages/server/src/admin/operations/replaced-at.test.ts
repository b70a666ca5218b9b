import type { WriteResult } from '@godwit/protocol'
import { defineSource } from '@godwit/source'
import { expect, test } from '@jest/globals'
import { json, openServer } from '../../testing/open-server.js'

const NOW = Date.parse('2026-01-01T00:00:00.000Z')
const query = () => ({})

async function pushedTo(settings: { readonly pollInterval?: number; readonly query?: () => object }, pulls = true) {
  const on = openServer({ sources: [defineSource<object>({ name: 'Thing', ...settings } as never)], clock: () => NOW })
  const { headers } = await on.device('ada')
  if (pulls) await on.call('GET', '/app/v1/Thing', { headers })
  const body = { user_id: 'ada', objects: { a: { b: 1 } } }
  const told = async (route: string, given: object) => {
    const answer = await on.call('POST', `/app/v1/Thing/${route}`, { headers: await on.as(), body: given })
    return (await json<WriteResult>(answer)).replaced_at
  }
  const named = { user_id: 'ada', data: { a: { c: 1 } } }
  return new Set([
    await told('push_objects', body),
    await told('fast_insert', body),
    await told('fast_update', { ...named, delete_data: {} }),
    await told('fast_delete', named),
    await told('push_deletes', { user_id: 'ada', objects: ['b'] }),
  ])
}

test('the answer to a push of a backend has the time of the query that replaces it', async () => {
  expect(await pushedTo({ query, pollInterval: 60 })).toEqual(new Set(['2026-01-01T00:01:00.000Z']))
  expect(await pushedTo({ query, pollInterval: 60 }, false)).toEqual(new Set(['2026-01-01T00:00:00.000Z']))
  expect(await pushedTo({ query, pollInterval: 0 })).toEqual(new Set(['2026-01-01T00:00:00.000Z']))
})

test('the time is null where only a request starts that query, and missing where there is none', async () => {
  expect(await pushedTo({ query, pollInterval: -1 })).toEqual(new Set([null]))
  expect(await pushedTo({ pollInterval: -1 })).toEqual(new Set([undefined]))
})
