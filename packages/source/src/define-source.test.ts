import { expect, test } from '@jest/globals'
import { defineSource } from './define-source.js'
import type { Feed } from './feed.js'

const feed: Feed = { open: async function* () {} }
const query = () => ({})

test('a source with a feed is polled only on demand, unless it says otherwise', () => {
  expect(defineSource({ name: 'Order', query, feed })).toMatchObject({ pollInterval: -1, reconcileInterval: -1, feed })
  expect(defineSource({ name: 'Order', query, feed, pollInterval: 60 })).toMatchObject({ pollInterval: 60 })
  expect(defineSource({ name: 'Order', query })).not.toHaveProperty('feed')
})

test('methods are bound to the definition', async () => {
  const definition = {
    name: 'Order',
    async get(this: { readonly name: string }, ids: readonly string[]) {
      return Object.fromEntries(ids.map(id => [id, { from: this.name }]))
    },
  }
  const { methods } = defineSource<{ from: string }>(definition)
  expect(await methods.get?.(['1'], undefined as never)).toEqual({ 1: { from: 'Order' } })
})

test.each([
  [{ feed: {} }, 'expected feed to have a function open, got none'],
  [{ feed }, 'expected query beside feed, got none'],
  [{ feed, query, changes: query }, 'expected feed or changes, got both'],
  [{ query, reconcileInterval: 60 }, 'expected reconcileInterval on a source with query and changes or feed'],
  [{ query, changes: query, reconcileInterval: 0 }, 'expected -1 or a whole number of seconds from 1, got 0'],
  [{ query, feed, passThrough: true }, 'expected passThrough alone, got feed beside it'],
])('%j is refused', (definition, message) => {
  expect(() => defineSource({ name: 'Order', ...definition } as never)).toThrow(message)
})
