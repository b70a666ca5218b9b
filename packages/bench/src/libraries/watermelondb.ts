import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Collection, Database, Model } from '@nozbe/watermelondb'
import { type DeviceRow, TEXTS } from '../device-rows.js'
import { type Library, PAGE } from './library.js'

type Watermelon = typeof import('@nozbe/watermelondb')

/** Models that track changed columns, on better-sqlite3; repeated finds are answered from a cache. */
export const watermelondb: Library = {
  async open(directory, stored) {
    const require = createRequire(import.meta.url)
    const { Database, Model, Q, appSchema, tableSchema } = require('@nozbe/watermelondb') as Watermelon
    const { default: SQLiteAdapter } = require('@nozbe/watermelondb/adapters/sqlite')
    class Item extends Model {
      static override table = 'items'
    }
    const columns = [
      ...TEXTS.map(name => ({ name, type: 'string' as const, isIndexed: name === 'indexed' })),
      { name: 'rank', type: 'number' as const },
    ]
    const schema = appSchema({ version: 1, tables: [tableSchema({ name: 'items', columns })] })
    const adapter = new SQLiteAdapter({ schema, dbName: join(directory, 'watermelon.db') })
    const database: Database = new Database({ adapter, modelClasses: [Item] })
    const items: Collection<Model> = database.get('items')
    const prepared = (row: DeviceRow) =>
      items.prepareCreate(record => Object.assign(record._raw, row, { _status: 'created', _changed: '' }))
    const insert = (rows: readonly DeviceRow[]) => database.write(() => database.batch(rows.map(prepared)))
    for (let from = 0; from < stored.length; from += 10_000) await insert(stored.slice(from, from + 10_000))
    const page = async (order: string, number: number) =>
      (await items.query(Q.sortBy(order), Q.skip(number * PAGE), Q.take(PAGE)).fetch()).length
    return {
      createOne: row => insert([row]),
      createMany: insert,
      findIndexed: async group => (await items.query(Q.where('indexed', group)).fetch()).length,
      findUnindexed: async group => (await items.query(Q.where('unindexed', group)).fetch()).length,
      findEither: async (below, above) =>
        (await items.query(Q.or(Q.where('rank', Q.lt(below)), Q.where('rank', Q.gt(above)))).fetch()).length,
      byId: async id => ((await items.find(id)) === undefined ? 0 : 1),
      pageUnindexed: number => page('unindexed', number),
      pageIndexed: number => page('indexed', number),
      updateOne: (id, note) =>
        database.write(async () => {
          const record = await items.find(id)
          await record.update(changed => changed._setRaw('note', note))
        }),
      removeBatch: batch =>
        database.write(async () => {
          const records = await items.query(Q.where('batch', batch)).fetch()
          await database.batch(records.map(record => record.prepareMarkAsDeleted()))
          return records.length
        }),
      close: () => {},
    }
  },
}
