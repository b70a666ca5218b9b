import { afterEach, expect, test } from '@jest/globals'
import { openSdk } from '../node.js'
import { FakeServer } from '../testing/fake-server.js'
import { temporaryDirectories } from '../testing/open-device.js'
import type { StandardSchema } from './attribute.js'
import { defineModel } from './define-model.js'
import { t } from './t.js'

const directories = temporaryDirectories()
const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const sdk of opened.splice(0)) await sdk.close()
  directories.removeAll()
})

const schema = <Value>(validate: (value: unknown) => unknown): StandardSchema<Value> => ({ '~standard': { validate } })
const invalid = expect.objectContaining({
  code: 'definition_invalid',
  message: expect.stringContaining('a schema that answers at once, got one that gives a promise'),
})
const isTags = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every(one => typeof one === 'string')

test('JSON is checked by a guard or a schema, which may transform it', async () => {
  const trimmed = schema<string>(value =>
    typeof value === 'string' ? { value: value.trim() } : { issues: [{ message: 'expected text' }] },
  )
  const Note = defineModel('Note', {
    attributes: { tags: t.json(isTags).default([]), text: t.json(trimmed).optional() },
  })
  const sdk = await openSdk({ directory: directories.make(), models: { Note } })
  opened.push(sdk)
  const wrong = expect.objectContaining({ code: 'attribute_invalid' })
  expect(sdk.models.Note.create({ tags: ['a'], text: ' x ' })).toMatchObject({ tags: ['a'], text: 'x' })
  expect(() => sdk.models.Note.create({ tags: [1] as never })).toThrow(wrong)
  expect(() => sdk.models.Note.create({ text: 5 as never })).toThrow(wrong)
})

test('an asynchronous schema is refused where it is declared, or at its first use', async () => {
  const always = schema<string>(async value => ({ value }))
  expect(() => defineModel('Bad', { attributes: { tags: t.json(always).optional() } })).toThrow(invalid)
  const failing = schema<string>(() => Promise.reject(new Error('no')))
  expect(() => defineModel('Bad', { attributes: { tags: t.json(failing).optional() } })).toThrow(invalid)

  const sometimes = schema<{ name: string }>(value => {
    const isNamed = typeof value === 'object' && value !== null && 'name' in value
    return isNamed ? Promise.resolve({ value }) : { issues: [{ message: 'expected a name' }] }
  })
  expect(() => defineModel('Bad', { attributes: { who: t.json(sometimes).default({ name: '' }) } })).toThrow(invalid)
  const Note = defineModel('Note', { sync: 'incremental', attributes: { who: t.json(sometimes).optional() } })
  const server = new FakeServer()
  const options = { directory: directories.make(), server: 'http://sync.test', fetch: server.fetch, eventStream: false }
  const sdk = await openSdk({ ...options, models: { Note } })
  opened.push(sdk)
  sdk.pollInterval = 0
  expect(() => sdk.models.Note.create({ who: { name: 'Ada' } })).toThrow(invalid)
  expect(sdk.models.Note.count()).toBe(0)
  await sdk.login('ada', 'ada')
  server.write('Note', { x: { who: { name: 'Grace' } } })
  expect((await sdk.sync()).sources).toMatchObject([{ error: { code: 'definition_invalid' } }])
})

test('an event counts the values of a page that do not fit', async () => {
  const Note = defineModel('Note', {
    sync: 'incremental',
    attributes: { size: t.integer().optional(), tags: t.json(isTags).default([]), text: t.string() },
  })
  const server = new FakeServer()
  const options = { directory: directories.make(), server: 'http://sync.test', fetch: server.fetch, eventStream: false }
  const sdk = await openSdk({ ...options, models: { Note } })
  opened.push(sdk)
  sdk.pollInterval = 0
  await sdk.login('ada', 'ada')
  const reported: unknown[] = []
  const events = sdk.events()
  const listening = (async () => {
    for await (const event of events) if (event.kind === 'invalidValues') reported.push(event)
  })()
  server.write('Note', {
    x: { size: 'big', tags: [1] },
    y: { size: '5', text: 'fits' },
    z: { size: 1.5 },
  })
  await sdk.sync()
  server.write('Note', { x: { size: 'bigger', tags: ['a'] } })
  await sdk.sync()
  server.write('Note', { y: { size: 6 } })
  await sdk.sync()
  await sdk.close()
  await listening
  expect(reported).toEqual([
    { kind: 'invalidValues', source: 'Note', attributes: { size: 2, tags: 1 } },
    { kind: 'invalidValues', source: 'Note', attributes: { size: 1 } },
  ])
})
