import type { Attributes } from '@godwit/protocol'
import { defineSource, type SourceDefinition } from '@godwit/source'
import type { Store } from '@godwit/store'
import { expect, jest, test } from '@jest/globals'
import { testClient, testEngine } from '../../testing/engine.fixture.js'
import { ask } from './device.fixture.js'

async function world(definition: Partial<SourceDefinition<Attributes>>, given?: Store) {
  const sources = [defineSource<Attributes>({ name: 'Thing', ...definition })]
  const engine = await testEngine(sources, given && { store: given })
  const { store } = engine
  const pull = (token?: string, { size = 500, client = 'client-1' } = {}) =>
    ask(engine, 'Thing', testClient(client), token, size)
  return { engine, pull, store }
}

test('a device receives metadata of a source once until it changes', async () => {
  let version = '1.1'
  const metadata = jest.fn(() => ({ fields: ['note'] }))
  const { pull } = await world({
    pollInterval: 0,
    query: () => ({ a: {}, b: {} }),
    metadata,
    schema: () => ({ version }),
  })
  const first = await pull(undefined, { size: 1 })
  expect(first).toMatchObject({ metadata: { fields: ['note'] }, schema: { version: '1.1' }, more: true })
  const second = await pull(first.token, { size: 1 })
  const third = await pull(second.token)
  for (const page of [second, third]) expect([page.metadata, page.schema]).toEqual([undefined, undefined])
  expect((await pull(undefined, { client: 'client-2' })).schema).toEqual({ version: '1.1' })
  version = '1.2'
  const changed = await pull(third.token)
  expect(changed.schema).toEqual({ version: '1.2' })
  expect((await pull(changed.token)).schema).toBeUndefined()
  expect((await pull('unreadable')).schema).toEqual({ version: '1.2' })
})

test('a page of counts neither sends metadata nor marks it as sent', async () => {
  const { pull } = await world({ pollInterval: -1, schema: () => ({ version: '1' }) })
  const { token } = await pull()
  expect((await pull((await pull(token, { size: 0 })).token)).schema).toBeUndefined()
  const untold = await pull(undefined, { size: 0 })
  expect(untold.schema).toBeUndefined()
  expect((await pull(untold.token)).schema).toEqual({ version: '1' })
})

test('metadata is read with a query, not at every pull', async () => {
  const schema = jest.fn(() => ({ version: '1' }))
  const { engine, pull } = await world({ pollInterval: 300, query: () => ({}), schema })
  let { token } = await pull()
  for (let index = 0; index < 3; index++) token = (await pull(token)).token
  expect(schema).toHaveBeenCalledTimes(1)
  engine.pass(300_000)
  await pull(token)
  expect(schema).toHaveBeenCalledTimes(2)
})

test('a failure to read metadata keeps the former, and pulls go on', async () => {
  let fails = false
  const schema = () => {
    if (fails) throw new Error('not now')
    return { version: '1' }
  }
  const { pull } = await world({ pollInterval: 0, query: () => ({ a: {} }), schema })
  await pull()
  fails = true
  expect(await pull()).toMatchObject({ insert: { a: {} }, schema: { version: '1' } })
})

test('a process that starts reads the metadata of a source with a query at its first pass', async () => {
  const query = () => ({ a: {} })
  const { pull, store } = await world({ pollInterval: 300, query, schema: () => ({ version: '1' }) })
  await pull()
  const next = await world({ pollInterval: 300, query, schema: () => ({ version: '2' }) }, store)
  expect(await next.pull()).toMatchObject({ insert: { a: {} }, schema: { version: '2' } })
})
