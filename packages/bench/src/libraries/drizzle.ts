import { eq, gt, lt, or } from 'drizzle-orm'
import { drizzle as open } from 'drizzle-orm/better-sqlite3'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { DeviceRow } from '../device-rows.js'
import { openPlain } from './by-hand.js'
import { type Library, PAGE } from './library.js'

const item = sqliteTable('item', {
  id: text().primaryKey(),
  indexed: text(),
  unindexed: text(),
  note: text(),
  place: text(),
  person: text(),
  batch: text(),
  rank: integer(),
})

/** A query builder with a schema, without change tracking. */
export const drizzle: Library = {
  async open(directory, stored) {
    const client = openPlain(directory)
    const database = open({ client })
    const insert = (rows: readonly DeviceRow[]) =>
      database.transaction(transaction => {
        for (const row of rows) transaction.insert(item).values(row).run()
      })
    insert(stored)
    const items = () => database.select().from(item)
    const page = (order: typeof item.indexed | typeof item.unindexed, number: number) =>
      items()
        .orderBy(order)
        .limit(PAGE)
        .offset(number * PAGE)
        .all().length
    return {
      createOne: row => void database.insert(item).values(row).run(),
      createMany: insert,
      findIndexed: group => items().where(eq(item.indexed, group)).all().length,
      findUnindexed: group => items().where(eq(item.unindexed, group)).all().length,
      findEither: (below, above) =>
        items()
          .where(or(lt(item.rank, below), gt(item.rank, above)))
          .all().length,
      byId: id => items().where(eq(item.id, id)).all().length,
      pageUnindexed: number => page(item.unindexed, number),
      pageIndexed: number => page(item.indexed, number),
      updateOne: (id, note) => void database.update(item).set({ note }).where(eq(item.id, id)).run(),
      removeBatch: batch => database.delete(item).where(eq(item.batch, batch)).run().changes,
      close: () => void client.close(),
    }
  },
}
