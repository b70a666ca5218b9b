import { createRxDatabase } from 'rxdb'
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory'
import { type DeviceRow, TEXTS } from '../device-rows.js'
import { type Library, PAGE } from './library.js'

const string = { type: 'string', maxLength: 100 } as const

/** Documents with revisions, in memory only. */
export const rxdb: Library = {
  async open(_directory, stored) {
    const database = await createRxDatabase({ name: 'bench', storage: getRxStorageMemory(), multiInstance: false })
    const { items } = await database.addCollections({
      items: {
        schema: {
          version: 0,
          primaryKey: 'id',
          type: 'object',
          properties: {
            id: string,
            ...Object.fromEntries(TEXTS.map(name => [name, string])),
            rank: { type: 'integer' },
          },
          required: ['id', 'indexed'],
          indexes: ['indexed'],
        },
      },
    })
    if (items === undefined) throw new Error('RxDB made no collection')
    const insert = (rows: readonly DeviceRow[]) => items.bulkInsert([...rows])
    for (let from = 0; from < stored.length; from += 10_000) await insert(stored.slice(from, from + 10_000))
    const found = async (query: object) => (await items.find(query).exec()).length
    const page = (order: string, number: number) =>
      found({ selector: {}, sort: [{ [order]: 'asc' }], limit: PAGE, skip: number * PAGE })
    return {
      createOne: row => items.insert(row),
      createMany: insert,
      findIndexed: indexed => found({ selector: { indexed } }),
      findUnindexed: unindexed => found({ selector: { unindexed } }),
      findEither: (below, above) => found({ selector: { $or: [{ rank: { $lt: below } }, { rank: { $gt: above } }] } }),
      byId: async id => ((await items.findOne(id).exec()) === null ? 0 : 1),
      pageUnindexed: number => page('unindexed', number),
      pageIndexed: number => page('indexed', number),
      updateOne: async (id, note) => (await items.findOne(id).exec())?.incrementalPatch({ note }),
      removeBatch: async batch => (await items.find({ selector: { batch } }).remove()).length,
      close: async () => void (await database.close()),
    }
  },
}
