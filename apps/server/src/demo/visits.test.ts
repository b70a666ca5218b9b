import type { Attributes } from '@godwit/protocol'
import type { WriteContext } from '@godwit/server'
import { describe, expect, test } from '@jest/globals'
import { openVisitBackend } from './visit-backend.js'
import { visitsIn } from './visits.js'

const log = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} }

async function* partsOf(parts: readonly Uint8Array[]) {
  yield* parts
}

function demo() {
  const backend = openVisitBackend(':memory:')
  let keys = 0
  const put: Uint8Array[] = []
  const context = (user = 'ada'): WriteContext => ({
    user,
    claims: {},
    partition: user,
    parameters: {},
    signal: new AbortController().signal,
    log,
    putBlob: async bytes => {
      put.push(bytes as Uint8Array)
      return ''
    },
    idempotencyKey: `key-${keys++}`,
  })
  const { create, update, query, storeBlob } = visitsIn(backend).methods
  return {
    backend,
    put,
    query: async (user?: string) => query?.(context(user) as never),
    storeBlob: async (hash: string, ...parts: readonly Uint8Array[]) =>
      storeBlob?.({ hash, size: 0, object: 't1', attribute: 'photo', read: () => partsOf(parts) }, context()),
    create: async (visit: Attributes, user?: string) => create?.(visit, context(user)),
    update: async (id: string, changes: Attributes, user?: string) => update?.(id, changes, context(user)),
  }
}

describe('a visit', () => {
  test('is kept for its user, with the id of the backend', async () => {
    const { create, backend } = demo()
    expect(await create({ city_id: '2950159', note: 'by train' })).toEqual({
      id: '1',
      attributes: { city_id: '2950159', note: 'by train' },
    })
    expect(backend.visitsOf('ada')).toEqual({ 1: { city_id: '2950159', note: 'by train' } })
  })

  test.each([1, 5, '4'])('may have the rating %j', async rating => {
    const { create, backend } = demo()
    await create({ note: 'fine', rating })
    expect(backend.visitsOf('ada')).toEqual({ 1: { note: 'fine', rating: Number(rating) } })
  })

  test.each([0, 6, 9, 2.5, -1, 'good', '', true])(
    'is refused with the rating %j, in words that say what is expected',
    async rating => {
      const { create, update, backend } = demo()
      const words = `rating: expected a whole number from 1 to 5, got ${JSON.stringify(rating)}.`
      await expect(create({ note: 'fine', rating })).rejects.toThrow(words)
      await create({ note: 'fine' })
      await expect(update('1', { rating })).rejects.toThrow(words)
      expect(backend.visitsOf('ada')).toEqual({ 1: { note: 'fine' } })
    },
  )

  test('may have its rating removed', async () => {
    const { create, update, backend } = demo()
    await create({ note: 'fine', rating: 3 })
    await update('1', { rating: null })
    expect(backend.visitsOf('ada')).toEqual({ 1: { note: 'fine' } })
  })

  test('is refused when a text is no text', async () => {
    await expect(demo().create({ note: 5 })).rejects.toThrow('note: expected text, got 5.')
  })

  test('of another user cannot be changed', async () => {
    const { create, update } = demo()
    await create({ note: 'mine' })
    await expect(update('1', { note: 'yours' }, 'grace')).rejects.toThrow('Visit 1 no longer exists.')
  })

  test('may have a photo, which its backend keeps and gives with the visits of its user', async () => {
    const { create, query, storeBlob, put } = demo()
    await storeBlob('a-hash', new Uint8Array([1, 2]), new Uint8Array([3]))
    await create({ note: 'fine', photo: 'a-hash' })
    expect(await query()).toEqual({ 1: { note: 'fine', photo: 'a-hash' } })
    expect(put.map(bytes => [...bytes])).toEqual([[1, 2, 3]])
    await query('grace')
    expect(put).toHaveLength(1)
  })
})

describe('of two devices that change one visit', () => {
  const resolve = visitsIn(openVisitBackend(':memory:')).methods.resolve
  const theirs = { note: 'theirs', rating: 4, city_id: '7' }

  test('the later change stays, beside what only the other one changed', () => {
    const mine = { ...theirs, note: 'mine', rating: null }
    expect(resolve?.({ base: {}, unknown: [], theirs, mine })).toEqual({ ...theirs, note: 'mine', rating: null })
  })

  test('neither deletes what the other one has changed, and a visit that was deleted stays deleted', () => {
    expect(resolve?.({ base: {}, unknown: [], theirs, mine: undefined })).toEqual(theirs)
    expect(resolve?.({ base: {}, unknown: [], theirs: undefined, mine: { note: 'mine' } })).toBeUndefined()
  })
})
