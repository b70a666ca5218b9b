import type { Attributes } from '@godwit/protocol'
import { afterEach, describe, expect, jest, test } from '@jest/globals'
import fc from 'fast-check'
import { sameMembers } from '../definition/attribute-values.js'
import { EVERYTHING, type Query } from '../query/query-tree.js'
import { FakeServer } from '../testing/fake-server.js'
import { definition, driveOn, type OpenedDevice, openOn, temporaryDirectories } from '../testing/open-device.js'
import { uncaughtErrors } from '../testing/uncaught-errors.fixture.js'
import type { RecordRow, Records } from './records.js'

const directories = temporaryDirectories()
const opened: OpenedDevice[] = []
afterEach(async () => {
  for (const { sdk } of opened.splice(0)) await sdk.close()
  directories.removeAll()
})

const local = { partition: 'local', syncType: 'none' } as const
const trains: Query = { condition: { kind: 'compare', attribute: 'note', operator: '=', value: 'train' }, order: [] }

async function open() {
  const server = new FakeServer()
  const definitions = [definition('Visit'), definition('Note', local)]
  const device = openOn(await driveOn('better-sqlite3', directories.make()), server, definitions)
  opened.push(device)
  const records = (name: string) => device.device.find(name) as Records
  return { ...device, server, visits: records('Visit'), notes: records('Note') }
}

/** Observes a query and returns the ids of each result. */
function heard(records: Records, query: Query): { readonly answers: string[][]; stop(): void } {
  const answers: string[][] = []
  const stop = records.observe(query, rows => void answers.push(rows.map(({ object }) => object)))
  return { answers, stop }
}

describe('a live query', () => {
  test('delivers its result at once and after each change', async () => {
    const { notes } = await open()
    const { answers, stop } = heard(notes, trains)
    const { object } = notes.insert({ note: 'train' })
    notes.change(object, { other: 1 })
    notes.change(object, { note: 'boat' })
    notes.change(object, { note: 'train' })
    notes.destroy(object)
    stop()
    notes.insert({ note: 'train' })
    expect(answers).toEqual([[], [object], [object], [], [object], []])
  })

  test('ignores other models, and rows that match neither before nor after', async () => {
    const { notes, visits } = await open()
    const { answers } = heard(notes, trains)
    visits.insert({ note: 'train' })
    const { object } = notes.insert({ note: 'boat' })
    notes.change(object, { note: 'plane' })
    notes.destroy(object)
    expect(answers).toEqual([[]])
  })

  test('is told of objects that are removed together, and of none that it did not show', async () => {
    const { sdk, server, visits } = await open()
    await sdk.login('ada', 'ada')
    server.write('Visit', { a: { note: 'train' }, b: { note: 'boat' }, c: { note: 'train' } })
    await sdk.sync()
    const { answers } = heard(visits, trains)
    const where = (value: string): Query => ({
      condition: { kind: 'compare', attribute: 'note', operator: '=', value },
      order: [],
    })
    visits.destroyAll(where('boat'))
    visits.destroyAll(where('train'))
    expect(answers).toEqual([['a', 'c'], []])
  })

  test('is told once per transaction, and not of one that is rolled back', async () => {
    const { device, notes } = await open()
    const { answers } = heard(notes, trains)
    const made = device.transaction(() => [1, 2, 3].map(n => notes.insert({ note: 'train', n }).object))
    expect(() =>
      device.transaction(() => {
        notes.destroyAll(EVERYTHING)
        throw new Error('no')
      }),
    ).toThrow('no')
    device.transaction(() => {
      const { object } = notes.insert({ note: 'train' })
      notes.destroy(object)
    })
    expect(answers).toEqual([[], made])
  })

  test('a row beyond its limit changes nothing', async () => {
    const { notes } = await open()
    const first = notes.insert({ note: 'train' })
    const { answers } = heard(notes, { ...trains, limit: 1 })
    const second = notes.insert({ note: 'train' })
    notes.destroy(first.object)
    expect(answers).toEqual([[first.object], [second.object]])
  })

  test('unchanged rows are the same objects', async () => {
    const { notes } = await open()
    const kept = notes.insert({ note: 'train' })
    const reported: (readonly RecordRow[])[] = []
    notes.observe(trains, rows => void reported.push(rows))
    notes.insert({ note: 'train' })
    expect(reported[1]?.[0]).toBe(reported[0]?.[0])
    expect(reported[0]?.[0]).toEqual(kept)
  })

  test('is told of rows that a sync brings and a reset removes', async () => {
    const { sdk, server, visits } = await open()
    await sdk.login('ada', 'ada')
    const { answers } = heard(visits, trains)
    server.write('Visit', { a: { note: 'train' }, b: { note: 'boat' } })
    await sdk.sync()
    server.write('Visit', { b: { note: 'plane' } })
    await sdk.sync()
    sdk.databaseFullReset()
    expect(answers).toEqual([[], ['a'], []])
  })

  test('a write of a callback is reported after it, and a callback that throws stops no other', async () => {
    const { notes } = await open()
    const uncaught = uncaughtErrors()
    notes.observe(trains, rows => {
      if (rows.length === 1) throw new Error('render failed')
    })
    const { answers } = heard(notes, trains)
    notes.observe(trains, rows => {
      if (rows.length === 1) notes.insert({ note: 'train' })
    })
    notes.insert({ note: 'train' })
    expect(uncaught.taken()).toEqual([new Error('render failed')])
    expect(answers.map(answer => answer.length)).toEqual([0, 1, 2])
  })

  test('a callback that throws at once is not called again', async () => {
    const { notes } = await open()
    const callback = jest.fn(() => {
      throw new Error('render failed')
    })
    expect(() => notes.observe(trains, callback)).toThrow('render failed')
    notes.insert({ note: 'train' })
    expect(callback).toHaveBeenCalledTimes(1)
  })

  test('a write of a callback is reported although a later write fails', async () => {
    const { device, notes } = await open()
    const { answers } = heard(notes, trains)
    notes.observe(trains, rows => {
      if (rows.length !== 1) return
      notes.insert({ note: 'train' })
      expect(() => notes.insert({ object: 'reserved' })).toThrow()
      expect(() =>
        device.transaction(() => {
          notes.destroyAll(EVERYTHING)
          throw new Error('no')
        }),
      ).toThrow('no')
    })
    notes.insert({ note: 'train' })
    expect(answers.map(answer => answer.length)).toEqual([0, 1, 2])
  })

  test('an error in the SQL of a live query is an event, and stops no write and no other query', async () => {
    const { sdk, notes, visits } = await open()
    const event = sdk.events()[Symbol.asyncIterator]().next()
    const sql = 'json_array_length(note) > ?'
    const lists = heard(notes, { condition: { kind: 'sql', sql, values: [1] }, order: [] })
    const { answers } = heard(notes, EVERYTHING)
    const { object } = notes.insert({ note: 'train' })
    const error = { code: 'query_invalid', message: expect.stringContaining(sql) }
    expect((await event).value).toEqual({ kind: 'error', source: 'Note', error })
    visits.insert({ note: 'train' })
    await sdk.login('ada', 'ada')
    await sdk.sync()
    notes.destroy(object)
    const list = notes.insert({ note: '[1,2]' })
    expect(answers).toEqual([[], [object], [], [list.object]])
    expect(lists.answers).toEqual([[], [list.object]])
  })

  test('after any history the last result equals a find, and no two successive results are equal', async () => {
    const { device, notes } = await open()
    const queries: readonly Query[] = [
      EVERYTHING,
      trains,
      { ...trains, limit: 2, order: [{ attribute: 'n', direction: 'DESC' }] },
      { condition: { kind: 'compare', attribute: 'n', operator: '>', value: 2 }, order: [], select: ['note'] },
    ]
    const value = fc.record({ note: fc.constantFrom('train', 'boat'), n: fc.integer({ min: 0, max: 4 }) })
    const step = fc.oneof(
      fc.record({ kind: fc.constant('insert' as const), value }),
      fc.record({ kind: fc.constant('change' as const), at: fc.nat(5), value }),
      fc.record({ kind: fc.constant('destroy' as const), at: fc.nat(5) }),
    )
    const write = (one: { kind: string; at?: number; value?: Attributes }): void => {
      const rows = notes.read(EVERYTHING)
      const object = rows[(one.at ?? 0) % Math.max(1, rows.length)]?.object
      if (one.kind === 'insert') notes.insert(one.value ?? {})
      else if (object !== undefined && one.value) notes.change(object, one.value)
      else if (object !== undefined) notes.destroy(object)
    }
    const transaction = fc.record({ steps: fc.array(step, { maxLength: 4 }), fails: fc.boolean() })
    fc.assert(
      fc.property(fc.array(transaction, { maxLength: 12 }), transactions => {
        notes.destroyAll(EVERYTHING)
        const reported = queries.map((): (readonly RecordRow[])[] => [])
        const stops = queries.map((query, at) => notes.observe(query, rows => void reported[at]?.push(rows)))
        for (const { steps, fails } of transactions) {
          const before = reported.map(answers => answers.length)
          try {
            device.transaction(() => {
              for (const one of steps) write(one)
              if (fails) throw new Error('undone')
            })
          } catch {}
          for (const [at, answers] of reported.entries()) {
            expect(answers.at(-1)).toEqual(notes.read(queries[at] as Query))
            expect(answers.length - (before[at] ?? 0)).toBeLessThanOrEqual(fails ? 0 : 1)
          }
        }
        for (const stop of stops) stop()
        for (const answers of reported)
          for (const [at, answer] of answers.entries())
            expect(at > 0 && equal(answer, answers[at - 1] as readonly RecordRow[])).toBe(false)
      }),
      { numRuns: 100 },
    )
  })
})

const equal = (one: readonly RecordRow[], other: readonly RecordRow[]): boolean =>
  one.length === other.length &&
  one.every(
    (row, at) => row.object === other[at]?.object && sameMembers(row.attributes, (other[at] as RecordRow).attributes),
  )
