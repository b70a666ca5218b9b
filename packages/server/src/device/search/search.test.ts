import { type SearchResults, SyncError } from '@godwit/protocol'
import { defineSource, failure, type SearchContext } from '@godwit/source'
import { describe, expect, test } from '@jest/globals'
import { openServer } from '../../testing/open-server.js'

async function world() {
  const heard: { readonly text: unknown; readonly context: SearchContext }[] = []
  const all = Array.from({ length: 30 }, (_, at) => [`b${at + 10}`, { title: `book ${at}`, gone: null }] as const)
  const Book = defineSource<object>({
    name: 'Book',
    pollInterval: -1,
    search(text, context) {
      heard.push({ text, context })
      return Object.fromEntries(all.slice(context.offset))
    },
  })
  const Author = defineSource<object>({ name: 'Author', pollInterval: -1, search: () => ({ a: { name: 'Ada' } }) })
  const Mute = defineSource<object>({ name: 'Mute', pollInterval: -1 })
  const Slow = defineSource<object>({
    name: 'Slow',
    pollInterval: -1,
    timeout: 0.05,
    search: () => new Promise(() => {}),
  })
  const Broken = defineSource<object>({
    name: 'Broken',
    pollInterval: -1,
    search: () => Promise.reject(failure('no index')),
  })
  const Refusing = defineSource<object>({
    name: 'Refusing',
    pollInterval: -1,
    search: () => Promise.reject(new SyncError('refused', 'Search for more than one letter.')),
  })
  const Odd = defineSource<object>({ name: 'Odd', pollInterval: -1, search: () => ['a'] as never })
  const circle: { self?: object } = {}
  circle.self = circle
  const Big = defineSource<object>({ name: 'Big', pollInterval: -1, search: () => ({ a: { b: 1n } }) })
  const Round = defineSource<object>({ name: 'Round', pollInterval: -1, search: () => ({ a: circle }) })
  const on = openServer({ sources: [Book, Author, Mute, Slow, Broken, Refusing, Odd, Big, Round] })
  const { headers } = await on.device('ada')
  const search = async (body: object) => {
    const answer = await on.call('POST', '/rc/v1/app/search', { body, headers })
    return { status: answer.status, body: (await answer.json()) as SearchResults }
  }
  return { on, heard, search }
}

describe('search', () => {
  test('calls each source separately and returns the results', async () => {
    const { heard, search } = await world()
    const { status, body } = await search({ sources: ['Book', 'Author', 'Book'], search: 'book' })
    expect(status).toBe(200)
    expect(Object.keys(body.results)).toEqual(['Book', 'Author'])
    expect(Object.keys(body.results['Book']?.objects ?? {})).toHaveLength(30)
    expect(body.results['Book']?.objects?.['b10']).toEqual({ title: 'book 0' })
    expect(body.results['Author']).toEqual({ objects: { a: { name: 'Ada' } } })
    expect(heard).toMatchObject([{ text: 'book', context: { user: 'ada', partition: 'ada', offset: 0, limit: 100 } }])
    await search({ sources: ['Book'], search: { title: 'x' } })
    expect(heard.at(-1)?.text).toEqual({ title: 'x' })
  })

  test('a result of a source that is not JSON fails that source only', async () => {
    const { search } = await world()
    const { status, body } = await search({ sources: ['Author', 'Big', 'Round'], search: 'book' })
    const message = (name: string, flaw: string) =>
      expect.stringMatching(`^The search of ${name}: .* the object "a", of which ${flaw}`)
    expect([status, body.results]).toEqual([
      200,
      {
        Author: { objects: { a: { name: 'Ada' } } },
        Big: { error: { code: 'backend_failed', message: message('Big', '"b" is a bigint') } },
        Round: { error: { code: 'backend_failed', message: message('Round', '"self"') } },
      },
    ])
  })

  test('offset and max_results select a range', async () => {
    const { search } = await world()
    const { body } = await search({ sources: ['Book'], search: '', offset: 5, max_results: 2 })
    expect(Object.keys(body.results['Book']?.objects ?? {})).toEqual(['b15', 'b16'])
    expect((await search({ sources: ['Book'], search: '', max_results: 1001 })).status).toBe(422)
    expect((await search({ sources: [], search: '' })).status).toBe(422)
  })

  test('all results together have a mebibyte, or one object each; a greater offset gets the rest', async () => {
    const rows = Array.from({ length: 10 }, (_, at) => [`r${at}`, { text: 'x'.repeat(400_000) }] as const)
    const wide = (name: string) =>
      defineSource<object>({
        name,
        pollInterval: -1,
        search: (_, { offset }) => Object.fromEntries(rows.slice(offset)),
      })
    const on = openServer({ sources: [wide('One'), wide('Other')] })
    const { headers } = await on.device('ada')
    const search = async (sources: readonly string[], offset = 0) => {
      const answer = await on.call('POST', '/rc/v1/app/search', { body: { sources, search: '', offset }, headers })
      const { results } = (await answer.json()) as SearchResults
      return sources.map(name => [Object.keys(results[name]?.objects ?? {}), results[name]?.more])
    }
    expect(await search(['One'])).toEqual([[['r0', 'r1'], true]])
    expect(await search(['One', 'Other'])).toEqual([
      [['r0'], true],
      [['r0'], true],
    ])
    expect(await search(['One'], 8)).toEqual([[['r8', 'r9'], undefined]])
  })

  test('reports the error of a source, without failing the others', async () => {
    const { search } = await world()
    const sources = ['Author', 'Mute', 'Slow', 'Broken', 'Refusing', 'Odd', 'Nowhere']
    const { body } = await search({ sources, search: 'x' })
    expect(body.results).toMatchObject({
      Author: { objects: { a: { name: 'Ada' } } },
      Mute: { error: { code: 'operation_not_supported' } },
      Slow: { error: { code: 'backend_timeout' } },
      Broken: { error: { code: 'backend_failed', message: 'no index' } },
      Refusing: { error: { code: 'refused', message: 'Search for more than one letter.' } },
      Odd: { error: { code: 'backend_failed', message: expect.stringContaining('The search of Odd') } },
      Nowhere: { error: { code: 'source_not_found' } },
    })
  })

  test('writes nothing into a collection', async () => {
    const { on, search } = await world()
    await search({ sources: ['Book'], search: 'book' })
    expect(await on.store.collections.head({ source: 'Book', partition: 'user:ada' })).toBeUndefined()
    const { headers } = await on.device('ada')
    const page = await (await on.call('GET', '/app/v1/Book', { headers })).json()
    expect(page).toMatchObject({ total_count: 0 })
    expect(page).not.toHaveProperty('insert')
  })
})
