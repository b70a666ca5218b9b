import { createRxDatabase } from 'rxdb'
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie'
import { TEXTS } from '../../src/device-rows.js'
import type { OpenPageSystem } from '../page-system.js'

const PART = 10_000
const string = { type: 'string', maxLength: 100 } as const

/** Documents with revisions, on IndexedDB by Dexie. */
export const open: OpenPageSystem = async () => {
  const database = await createRxDatabase({ name: 'bench', storage: getRxStorageDexie() })
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
  const query = (indexed: string) => items.find({ selector: { indexed } })
  return {
    async store(rows) {
      for (let from = 0; from < rows.length; from += PART) await items.bulkInsert(rows.slice(from, from + PART))
    },
    create: row => items.insert(row),
    find: async indexed => (await query(indexed).exec()).length,
    async live(indexed, report) {
      const subscription = query(indexed).$.subscribe(rows => report(rows.length))
      return () => subscription.unsubscribe()
    },
  }
}
