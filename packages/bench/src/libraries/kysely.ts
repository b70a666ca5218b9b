import { Kysely, SqliteDialect } from 'kysely'
import type { DeviceRow } from '../device-rows.js'
import { openPlain } from './by-hand.js'
import { type Library, PAGE } from './library.js'

/** A query builder, without change tracking. */
export const kysely: Library = {
  async open(directory, stored) {
    const database = new Kysely<{ item: DeviceRow }>({ dialect: new SqliteDialect({ database: openPlain(directory) }) })
    const insert = (rows: readonly DeviceRow[]) =>
      database.transaction().execute(async transaction => {
        for (const row of rows) await transaction.insertInto('item').values(row).execute()
      })
    await insert(stored)
    const items = () => database.selectFrom('item').selectAll()
    const page = async (order: 'indexed' | 'unindexed', number: number) =>
      (
        await items()
          .orderBy(order)
          .limit(PAGE)
          .offset(number * PAGE)
          .execute()
      ).length
    return {
      createOne: row => database.insertInto('item').values(row).execute(),
      createMany: insert,
      findIndexed: async group => (await items().where('indexed', '=', group).execute()).length,
      findUnindexed: async group => (await items().where('unindexed', '=', group).execute()).length,
      findEither: async (below, above) =>
        (
          await items()
            .where(either => either.or([either('rank', '<', below), either('rank', '>', above)]))
            .execute()
        ).length,
      byId: async id => (await items().where('id', '=', id).execute()).length,
      pageUnindexed: number => page('unindexed', number),
      pageIndexed: number => page('indexed', number),
      updateOne: (id, note) => database.updateTable('item').set({ note }).where('id', '=', id).execute(),
      removeBatch: async batch =>
        Number((await database.deleteFrom('item').where('batch', '=', batch).executeTakeFirst()).numDeletedRows),
      close: () => database.destroy(),
    }
  },
}
