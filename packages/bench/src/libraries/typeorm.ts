import { join } from 'node:path'
import Database from 'better-sqlite3'
import { DataSource, EntitySchema, LessThan, MoreThan } from 'typeorm'
import { type DeviceRow, TEXTS } from '../device-rows.js'
import { type Library, PAGE } from './library.js'

const Item = new EntitySchema<DeviceRow>({
  name: 'item',
  columns: {
    id: { type: 'text', primary: true },
    ...(Object.fromEntries(TEXTS.map(name => [name, { type: 'text' }])) as {
      readonly [Name in (typeof TEXTS)[number]]: { readonly type: 'text' }
    }),
    rank: { type: 'integer' },
  },
  indices: [{ columns: ['indexed'] }],
})

/** An object-relational mapper, without change tracking. */
export const typeorm: Library = {
  async open(directory, stored) {
    const source = new DataSource({
      type: 'better-sqlite3',
      driver: Database,
      database: join(directory, 'plain.sqlite'),
      entities: [Item],
      synchronize: true,
      enableWAL: true,
      prepareDatabase: database => database.pragma('synchronous = NORMAL'),
    })
    await source.initialize()
    const items = source.getRepository(Item)
    await items.insert([...stored.slice(0, 1)])
    const insert = (rows: readonly DeviceRow[]) =>
      source.transaction(async manager => {
        for (let from = 0; from < rows.length; from += 500) await manager.insert(Item, rows.slice(from, from + 500))
      })
    await insert(stored.slice(1))
    const page = async (order: 'indexed' | 'unindexed', number: number) =>
      (await items.find({ order: { [order]: 'ASC' }, take: PAGE, skip: number * PAGE })).length
    return {
      createOne: row => items.insert(row),
      createMany: insert,
      findIndexed: async indexed => (await items.findBy({ indexed })).length,
      findUnindexed: async unindexed => (await items.findBy({ unindexed })).length,
      findEither: async (below, above) =>
        (await items.findBy([{ rank: LessThan(below) }, { rank: MoreThan(above) }])).length,
      byId: async id => ((await items.findOneBy({ id })) === null ? 0 : 1),
      pageUnindexed: number => page('unindexed', number),
      pageIndexed: number => page('indexed', number),
      updateOne: (id, note) => items.update(id, { note }),
      removeBatch: async batch => {
        const before = await items.countBy({ batch })
        await items.delete({ batch })
        return before
      },
      close: () => source.destroy(),
    }
  },
}
