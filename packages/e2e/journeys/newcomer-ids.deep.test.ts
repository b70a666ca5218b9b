import { describe, expect, test } from '@jest/globals'
import { DURABLE_STORES, newcomer } from '../harness/newcomer.js'
import { storesOf } from '../harness/stores.js'

/** A backend that assigns its own ids to orders, and refers to the products of sales by number. */
const CONFIG = `
const [orders, sales] = [new Map(), new Map([['s1', { product: 7, count: 2 }]])]
const numbered = () => {
  const rows = new Map()
  return { query: () => Object.fromEntries(rows), create(row) { rows.set('n' + (rows.size + 1), row); return 'n' + rows.size } }
}
export default ({ defineSource }) => ({
  authenticate: () => true,
  sources: [
    defineSource({ name: 'Order', idempotent: true, ...numbered() }),
    defineSource({ name: 'Part', idempotent: true, belongsTo: { order: 'Order' }, ...numbered() }),
    defineSource({ name: 'Product', partition: 'app', pollInterval: -1 }),
    defineSource({
      name: 'Sale', conflict: 'reject', idempotent: true, belongsTo: { product: 'Product' },
      query: () => Object.fromEntries(sales),
      update(id, changes) { sales.set(id, { ...sales.get(id), ...changes }) },
    }),
    ...['City', 'Person'].map(name => defineSource({ name, partition: 'app', idempotent: true, pollInterval: -1, create: (_, { idempotencyKey }) => name + '-' + idempotencyKey })),
    defineSource({ name: 'Note', idempotent: true, ...numbered() }),
  ],
})
`

const DEVICES = `
import { defineModel, t } from '@godwit/model'
import { openSdk } from '@godwit/model/node'
const Order = defineModel('Order', { sync: 'incremental', attributes: { text: t.string() } })
const Part = defineModel('Part', { sync: 'incremental', attributes: { order: t.belongsTo(Order), text: t.string() } })
export async function open({ directory, server }) {
  const sdk = await openSdk({ directory, server, models: { Order, Part } })
  sdk.pollInterval = 0
  const { Order: orders, Part: parts } = sdk.models
  const made = (name, define, app) => sdk.addModel(name, model => {
    if (app) model.set('partition', 'app')
    model.enable('sync')
    define(model)
  })
  const Product = made('Product', () => {}, true)
  const Sale = made('Sale', model => model.setBelongsTo('product', 'Product'))
  for (const name of ['City', 'Person']) made(name, () => {}, true)
  const Note = made('Note', model => ['City', 'Person'].forEach(owner => model.setBelongsTo('of', owner)))
  const of = rows => rows.map(({ text }) => text).sort()
  const shown = {}
  return { sdk, deeds: {
    login: login => sdk.login(login, login),
    sync: async source => (await sdk.sync(source)).sources.filter(({ error }) => error).length,
    unsent: () => sdk.changes().length,
    refused: () => sdk.refused().length,
    order: text => orders.create({ text }).id,
    part: (order, text) => parts.create({ order, text }).id,
    orderOf: id => orders.get(id)?.id,
    find: (operator, value) => of(parts.find({ conditions: { order: { [operator]: value } } })),
    watch: id => { parts.observe({ conditions: { order: id } }, rows => { shown[id] = of(rows) }) },
    shown: id => shown[id],
    sale: () => Sale.find('first')?.get('product'),
    product: () => Product.find(Sale.find('first').get('product'))?.get('name'),
    salesOf: product => ['=', '<>', 'IN', 'NOT IN'].map(op =>
      Sale.find('count', { conditions: { name: 'product', op, ...(op.endsWith('IN') ? { values: [product] } : { value: product }) } })),
    sell: attributes => void Sale.find('first').updateAttributes(attributes),
    make: name => sdk.getModel(name).create({ text: 'x' }).object,
    note: id => Note.create({ of: id }).object,
    noted: id => Note.find(id)?.get('of'),
    close: () => {},
  } }
}
`

const world = newcomer({ config: CONFIG, devices: DEVICES })
describe.each(storesOf('newcomer-ids', DURABLE_STORES))("a newcomer's ids, over $name", ({ address }) => {
  test('stand for what they named, as text, whatever the backend makes of them', async () => {
    const { url, admin } = await world.serve(await address(world.path), { SYNC_LOG_LEVEL: 'error' })
    await admin.push.objects('Product', '*', { 7: { name: 'a phone' }, 8: { name: 'a radio' } })
    const app = world.device(`ids-${new URL(url).port}`, url)
    await app.do('login', 'ada')
    await app.do('sync')

    // Before and after the sync, an order's temporary id finds the objects that refer to it; after it, its real id does too.
    const [one, two] = [await app.do<string>('order', 'one'), await app.do<string>('order', 'two')]
    await app.do('part', one, 'of one')
    await app.do('part', two, 'of two')
    await app.do('watch', one)
    await app.do('watch', 'n1')
    const find = async (id: string) =>
      Promise.all([
        app.do('find', '=', id),
        app.do('find', '<>', id),
        app.do('find', 'in', [id]),
        app.do('find', 'not in', [id]),
      ])
    const expected = [['of one'], ['of two'], ['of one'], ['of two']]
    expect(await find(one)).toEqual(expected)
    expect([await app.do('sync'), await app.do('unsent')]).toEqual([0, 0])
    const real = await app.do<string>('orderOf', one)
    expect(['n1', 'n2']).toContain(real)
    expect([await find(one), await find(real)]).toEqual([expected, expected])
    expect(await app.do('shown', one)).toEqual(['of one'])
    // The live query for the real id, opened before that id existed, returns its rows after the rename.
    expect(await app.do('shown', 'n1')).toEqual([real === 'n1' ? 'of one' : 'of two'])

    // A number that refers to a product is its id as text on the device and stays a number for the backend, without a conflict.
    expect([await app.do('sale'), await app.do('product')]).toEqual(['7', 'a phone'])
    expect([await app.do('salesOf', '7'), await app.do('salesOf', '8')]).toEqual([
      [1, 0, 1, 0],
      [0, 1, 0, 1],
    ])
    await app.do('sell', { count: 3 })
    await app.do('sell', { product: '8' })
    expect([await app.do('sync'), await app.do('unsent')]).toEqual([0, 0])
    expect([await app.do('refused'), await app.do('product')]).toEqual([0, 'a radio'])

    // A reference to one of two models follows the model that created the id, and stays if the other model has a row of that id.
    const [city, person] = [await app.do<string>('make', 'City'), await app.do<string>('make', 'Person')]
    await admin.push.objects('City', '*', { [person]: { text: 'of the same id' } })
    await app.do('sync', 'City')
    const another = await app.do<string>('make', 'City')
    const notes = [
      await app.do<string>('note', city),
      await app.do<string>('note', another),
      await app.do<string>('note', person),
    ]
    expect([await app.do('sync'), await app.do('unsent')]).toEqual([0, 0])
    const named = await Promise.all(notes.map(note => app.do<string>('noted', note)))
    expect(named).toEqual([expect.stringMatching(/^City-/), expect.stringMatching(/^City-/), person])
    expect(named[0]).not.toBe(named[1])
    await app.close()
  }, 300_000)
})
