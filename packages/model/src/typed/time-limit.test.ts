import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { memoryDrive } from '../browser/memory-drive.js'
import { memoryFiles } from '../browser/memory-files.js'
import { openSdkOn, type SdkOptions } from '../sdk/open-sdk.js'
import { loadSqliteInNode } from '../testing/load-sqlite-in-node.js'
import { ManualTimers } from '../testing/manual-timers.js'
import { DRIVERS, driveOn, temporaryDirectories } from '../testing/open-device.js'
import { defineModel } from './define-model.js'
import { t } from './t.js'

const directories = temporaryDirectories()
const opened: { close(): Promise<void> }[] = []
/** Advances the clock by one millisecond at each read, so that a limit is a number of reads on any machine. */
beforeEach(() => {
  let now = performance.now()
  jest.spyOn(performance, 'now').mockImplementation(() => now++)
})
afterEach(async () => {
  jest.restoreAllMocks()
  for (const sdk of opened.splice(0)) await sdk.close()
  directories.removeAll()
})

const WASM = 'SQLite in WebAssembly'
const driveOf = async (name: (typeof DRIVERS)[number] | typeof WASM) =>
  name === WASM ? memoryDrive(await loadSqliteInNode(), memoryFiles()) : driveOn(name, directories.make())

const Item = defineModel('Item', { attributes: { text: t.string().default(''), amount: t.integer().default(1) } })
const Other = defineModel('Other', { attributes: { text: t.string().default('') } })

async function open(name: Parameters<typeof driveOf>[0], sqlTimeoutMilliseconds?: number) {
  const timers = new ManualTimers()
  const options: SdkOptions<{ Item: typeof Item; Other: typeof Other }> = {
    models: { Item, Other },
    timers,
    ...(sqlTimeoutMilliseconds !== undefined && { sqlTimeoutMilliseconds }),
  }
  const sdk = openSdkOn(await driveOf(name), options)
  opened.push(sdk)
  const errors: unknown[] = []
  const heard = (async () => {
    for await (const event of sdk.events()) if (event.kind === 'error') errors.push([event.source, event.error.code])
  })()
  return { sdk, timers, errors, heard, Item: sdk.models.Item, Other: sdk.models.Other }
}

/** A query that counts up to the largest amount of an item. */
const COUNTING =
  'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < (SELECT max(amount) FROM Item)) SELECT i FROM n'
const ENDLESS = 2 ** 50
/** A limit in milliseconds that every statement exceeds. */
const NO_TIME = 0.5

const timeout = expect.objectContaining({ code: 'sql_timeout' })

describe.each([...DRIVERS, WASM] as const)('SQL on %s', name => {
  test('ends with sql_timeout between rows, and the transaction around it goes on', async () => {
    const { sdk, Item } = await open(name, 50)
    const { id } = Item.create({ amount: ENDLESS })
    expect(() => sdk.sql.all(COUNTING)).toThrow(timeout)
    sdk.transaction(() => {
      Item.create({ text: 'before' })
      expect(() => sdk.sql.first(COUNTING)).toThrow(timeout)
      Item.create({ text: 'after' })
    })
    Item.destroy(id)
    expect(sdk.sql.all('SELECT text FROM Item ORDER BY text')).toEqual([{ text: 'after' }, { text: 'before' }])
  })

  test('whatever the app wrote in SQL has the limit, and nothing else', async () => {
    const { sdk, Item } = await open(name, NO_TIME)
    const { id } = Item.create({ text: 'a' })
    const Note = sdk.addModel('Note', () => {})
    Note.create({ text: 'a' })
    const conditions = { sql: ['length(text) > ?', 0] } as const
    for (const slow of [
      () => sdk.sql.all('SELECT text FROM Item'),
      () => sdk.sql.observe('SELECT text FROM Item', [], () => {}),
      () => Item.find({ conditions }),
      () => Item.count({ conditions }),
      () => Item.observe({ conditions }, () => {}),
      () => Item.destroyMany(conditions),
      () => Note.find_by_sql('SELECT * FROM Note'),
      () => Note.find('all', { conditions: ['length(text) > ?', 0] }),
    ])
      expect(slow).toThrow(timeout)
    expect(sdk.trace()).toEqual([])
    expect([Item.find({ conditions: { text: 'a' } }), Item.count(), Note.find('count')]).toMatchObject([[{ id }], 1, 1])
  })

  test('a call has a separate limit, or none', async () => {
    const { sdk, Item } = await open(name)
    Item.create({ text: 'a' })
    const sql = 'SELECT text FROM Item'
    expect(sdk.sql.all(sql)).toEqual([{ text: 'a' }])
    expect(() => sdk.sql.all(sql, [], { timeoutMilliseconds: NO_TIME })).toThrow(timeout)
    const limited = await open(name, NO_TIME)
    expect(() => limited.sdk.sql.first('SELECT 1')).toThrow(timeout)
    expect(limited.sdk.sql.first('SELECT 1 AS one', [], { timeoutMilliseconds: Infinity })).toEqual({ one: 1 })
  })

  test('a live query that takes too long tells it once, pauses, and answers again when it can', async () => {
    const { sdk, Item, Other, timers, errors } = await open(name, 300)
    const { id } = Item.create({ amount: 2 })
    const seen: number[] = []
    const facts = () => sdk.trace()[0]?.runs
    sdk.sql.observe(`${COUNTING} LIMIT (SELECT 1000000000 + count(*) FROM Other)`, [], rows => seen.push(rows.length))
    Item.update(id, { amount: ENDLESS })
    for (let at = 0; at < 20; at++) Other.create({})
    await new Promise(setImmediate)
    expect([seen, errors, timers.waits.includes(3000)]).toEqual([[2], [['Item', 'sql_timeout']], true])
    timers.pass(3000)
    await new Promise(setImmediate)
    expect([errors.length, timers.waits.includes(6000)]).toEqual([1, true])
    Item.update(id, { amount: 3 })
    expect(seen).toEqual([2])
    timers.pass(6000)
    expect([seen, facts()]).toEqual([[2, 3], 2])
    Item.update(id, { amount: 4 })
    expect(seen).toEqual([2, 3, 4])
  })

  test('a live query of a model with a condition in SQL pauses too, until it is stopped', async () => {
    const { Item, timers, errors } = await open(name, 30)
    Item.create({ amount: 2 })
    const seen: number[] = []
    const stop = Item.observe({ conditions: { sql: ['amount > ?', 1] } }, rows => seen.push(rows.length))
    Item.createMany(Array.from({ length: 50 }, () => ({ amount: 3 })))
    Item.create({ amount: 4 })
    await new Promise(setImmediate)
    expect([seen, errors, timers.waits.includes(300)]).toEqual([[1], [['Item', 'sql_timeout']], true])
    Item.destroyMany({ amount: 3 })
    timers.pass(300)
    expect(seen).toEqual([1, 2])
    Item.createMany(Array.from({ length: 50 }, () => ({ amount: 3 })))
    stop()
    expect([seen, timers.waits.includes(300)]).toEqual([[1, 2], false])
  })
})

test('in WebAssembly SQL ends within a step too', async () => {
  const { sdk, Item } = await open(WASM, 50)
  Item.create({ amount: ENDLESS })
  expect(() => sdk.sql.all(`SELECT count(*) AS count FROM (${COUNTING})`)).toThrow(timeout)
  expect(sdk.sql.all('SELECT count(*) AS count FROM Item')).toEqual([{ count: 1 }])
})

test.each([0, -1, Number.NaN, '5', null])('a limit of %p is refused', async given => {
  const refused = expect.objectContaining({ code: 'value_not_allowed' })
  await expect(open('node:sqlite', given as never)).rejects.toEqual(refused)
  const { sdk } = await open('node:sqlite')
  expect(() => sdk.sql.all('SELECT 1', [], { timeoutMilliseconds: given as never })).toThrow(refused)
})
