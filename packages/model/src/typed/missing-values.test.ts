import type { Attributes } from '@godwit/protocol'
import { afterAll, expect, test } from '@jest/globals'
import { openSdkOn } from '../sdk/open-sdk.js'
import { FakeServer } from '../testing/fake-server.js'
import { driveOn, temporaryDirectories } from '../testing/open-device.js'
import { defineModel } from './define-model.js'
import { t } from './t.js'

const directories = temporaryDirectories()
afterAll(() => directories.removeAll())

const attributes = {
  name: t.string(),
  size: t.integer().default(3),
  open: t.boolean(),
  mood: t.enum(['good', 'bad']),
  at: t.timestamp(),
}
const WHOLE: Attributes = { name: 'x', size: 1, open: true, mood: 'bad', at: '2026-01-02T03:04:05.000Z' }
const DISPLAYED_FOR_NONE: Attributes = { name: '', size: 3, open: false, mood: 'good', at: '1970-01-01T00:00:00.000Z' }

/** Successive states of an object on the server: values are added, removed, or do not match their type. */
const LIVES: readonly Attributes[] = [
  WHOLE,
  {},
  WHOLE,
  { ...WHOLE, name: { first: 'x' }, size: 'large', open: 'perhaps', mood: 'so-so', at: 'today' },
  DISPLAYED_FOR_NONE,
  { name: 'x' },
]

test.each(['bag', 'fixed'] as const)(
  'an object of a %s that begins to lack values, or has them again, is found by what it shows',
  async storage => {
    const server = new FakeServer()
    const Item = defineModel('Item', { sync: 'incremental', storage, attributes })
    const options = { server: 'http://sync.test', fetch: server.fetch, eventStream: false, models: { Item } }
    const sdk = openSdkOn(await driveOn('better-sqlite3', directories.make()), options)
    const { Item: items } = sdk.models
    await sdk.login('ada', 'ada')
    const questions = [WHOLE, DISPLAYED_FOR_NONE].flatMap(values =>
      Object.entries(values).map(([name, value]) => ({ [name]: name === 'at' ? new Date(String(value)) : value })),
    ) as readonly object[]
    const live = questions.map(conditions => {
      const seen: { ids: readonly string[] } = { ids: [] }
      items.observe({ conditions }, rows => {
        seen.ids = rows.map(({ id }) => id)
      })
      return seen
    })
    for (const life of LIVES) {
      server.write('Item', { changing: life, whole: WHOLE, none: {} })
      await sdk.sync()
      for (const [at, conditions] of questions.entries()) {
        const [[name, value]] = Object.entries(conditions) as [[keyof typeof attributes, unknown]]
        const isIt = (displayed: unknown) => String(displayed) === String(value)
        const expected = items
          .find()
          .filter(row => isIt(row[name]))
          .map(({ id }) => id)
        const found = items.find({ conditions }).map(({ id }) => id)
        expect({ life, conditions, found, count: items.count({ conditions }), live: live[at]?.ids }).toEqual({
          ...{ life, conditions, found: expected, count: expected.length, live: expected },
        })
      }
      const names = items.find({ order: { name: 'asc', id: 'asc' } }).map(({ name }) => name)
      expect(names).toEqual([...names].sort())
    }
    await sdk.close()
  },
)
