import type { Attributes, Page, PushOutcomes } from '@godwit/protocol'
import { defineSource, type SourceDefinition } from '@godwit/source'
import { describe, expect, test } from '@jest/globals'
import { failure, json, openServer } from '../../testing/open-server.js'
import { parseJson } from './backend-answer.js'

const HALF = 'a\ud800'
const HALVES: readonly Record<string, Attributes>[] = [
  { [HALF]: {}, 'a\ud801': {} },
  { a: { [HALF]: 1 } },
  { a: { n: HALF } },
  { a: { n: { deep: [HALF] } } },
]

async function world(definition: Partial<SourceDefinition<Attributes>>) {
  const on = openServer({ sources: [defineSource<Attributes>({ name: 'Thing', pollInterval: 0, ...definition })] })
  const { headers } = await on.device('ada')
  const pull = async () => json<Page>(await on.call('GET', '/app/v1/Thing', { headers }))
  const send = async (mutation: object) => {
    const { epoch } = await pull()
    const body = { epoch, acknowledged: 0, mutations: [{ number: 1, key: 'key-of-the-first-1', ...mutation }] }
    return on.call('POST', '/app/v1/Thing', { headers, body })
  }
  return { on, headers, pull, send }
}

describe('half a surrogate pair is refused', () => {
  test.each(HALVES)('in results of a query, a stash or a search: %j', async objects => {
    const queried = await world({ query: () => objects })
    expect((await queried.pull()).source_error?.message).toMatch(/half a surrogate pair/)
    const stashed = await world({ query: ({ stash }) => stash(objects) as never })
    expect((await stashed.pull()).source_error?.message).toMatch(/half a surrogate pair/)
    const found = await world({ query: () => ({}), search: () => objects })
    const body = { sources: ['Thing'], search: { text: 'x' } }
    const answer = await found.on.call('POST', '/rc/v1/app/search', { headers: found.headers, body })
    expect(JSON.stringify(await answer.json())).toMatch(/half a surrogate pair/)
  })

  test('in results of a create or an update', async () => {
    for (const create of [() => HALF, () => ({ id: 'real', attributes: { n: HALF } })]) {
      const { send } = await world({ query: () => ({}), create: create as never })
      const answer = await send({ operation: 'create', object: 't1', attributes: {} })
      const { outcomes } = await json<PushOutcomes>(answer)
      expect(outcomes).toMatchObject([{ status: 'in_doubt', error: { message: expect.stringMatching(/surrogate/) } }])
    }
  })

  test('in a push of a device, and in an answer of a backend', async () => {
    const { send } = await world({ query: () => ({}), create: () => undefined })
    for (const [object, attributes] of [[HALF, {}], ...HALVES.slice(1).map(({ a }) => ['t1', a])] as const)
      expect(await failure(await send({ operation: 'create', object, attributes }))).toBe('422 body_invalid')
    for (const objects of HALVES) expect(() => parseJson(JSON.stringify(objects))).toThrow(/half a surrogate pair/)
    expect(parseJson('{"a":"\\ud83d\\ude00"}')).toEqual({ a: '\u{1f600}' })
  })

  test('in the name of a partition', async () => {
    const { on, headers } = await world({ partitionName: () => HALF })
    expect(await failure(await on.call('GET', '/app/v1/Thing', { headers }))).toBe('502 backend_failed')
  })
})
