import { defineModel, t } from '@godwit/model'
import { openSdk } from '@godwit/model/node'
import { type DeviceRow, TEXTS } from '../device-rows.js'
import { type Library, PAGE } from './library.js'

const attributes = {
  ...(Object.fromEntries(TEXTS.map(name => [name, t.string()])) as {
    readonly [Name in (typeof TEXTS)[number]]: ReturnType<typeof t.string>
  }),
  rank: t.integer(),
}

const modelOf = (storage: 'bag' | 'fixed') =>
  defineModel('Item', { sync: 'incremental', storage, attributes, indexes: { byIndexed: ['indexed'] } })

/** A synced model: its stored rows came from the server, and each change is written to the outbox. */
export const godwitModel = (storage: 'bag' | 'fixed'): Library => ({
  async open(directory, stored) {
    const sdk = await openSdk({
      directory,
      server: 'http://bench.invalid',
      models: { Item: modelOf(storage) },
      fetch: serverOf(stored),
      eventStream: false,
    })
    await sdk.login('ada', 'ada')
    await sdk.sync()
    sdk.pollInterval = 0
    const { Item } = sdk.models
    return {
      createOne: ({ id: _, ...row }) => void Item.create(row),
      createMany: rows => void Item.createMany(rows.map(({ id: _, ...row }) => row)),
      findIndexed: indexed => Item.find({ conditions: { indexed } }).length,
      findUnindexed: unindexed => Item.find({ conditions: { unindexed } }).length,
      findEither: (below, above) =>
        Item.find({ conditions: { or: [{ rank: { '<': below } }, { rank: { '>': above } }] } }).length,
      byId: id => (Item.get(id) === undefined ? 0 : 1),
      pageUnindexed: page => Item.paginate({ page, perPage: PAGE, order: { unindexed: 'asc' } }).length,
      pageIndexed: page => Item.paginate({ page, perPage: PAGE, order: { indexed: 'asc' } }).length,
      updateOne: (id, note) => void Item.update(id, { note }),
      removeBatch: batch => Item.destroyMany({ batch }),
      close: () => sdk.close(),
    }
  },
})

const ROWS_A_PAGE = 2000

/** Returns a `fetch` that answers the requests of a first sync. */
function serverOf(stored: readonly DeviceRow[]): typeof fetch {
  return async input => {
    const { pathname, searchParams } = new URL(String(input))
    if (pathname === '/rc/v1/app/login') return json({ login: 'ada', user_id: 'u1', session: 's1', expires_at: '' })
    if (pathname === '/rc/v1/clients') return json({ client: { client_id: 'c1' } })
    const from = Number(searchParams.get('token') ?? 0)
    const rows = stored.slice(from, from + ROWS_A_PAGE)
    const more = from + rows.length < stored.length
    return json({
      version: 4,
      epoch: 'e1',
      token: String(from + rows.length),
      more,
      status: 'ok',
      pass: 'p1',
      ...(more ? {} : { ends: true, head: stored.length }),
      count: rows.length,
      progress_count: from + rows.length,
      total_count: stored.length,
      insert: Object.fromEntries(rows.map(({ id, ...row }) => [id, row])),
      versions: Object.fromEntries(rows.map(({ id }, at) => [id, from + at + 1])),
    })
  }
}

const json = (value: unknown): Response => Response.json(value)
