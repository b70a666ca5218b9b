import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { DeviceRow } from '../device-rows.js'
import { type Library, PAGE } from './library.js'

/** The measured part of PouchDB, which has no types. */
interface Pouch {
  put(document: object): Promise<unknown>
  get(id: string): Promise<object>
  bulkDocs(documents: readonly object[]): Promise<unknown>
  createIndex(options: { readonly index: { readonly fields: readonly string[] } }): Promise<unknown>
  find(options: object): Promise<{ readonly docs: readonly object[] }>
  close(): Promise<void>
}

interface PouchConstructor {
  new (path: string): Pouch
  plugin(plugin: unknown): void
}

/** PouchDB: documents with revisions, on LevelDB. */
export const pouchdb: Library = {
  async open(directory, stored) {
    const require = createRequire(import.meta.url)
    const PouchDB = require('pouchdb') as PouchConstructor
    PouchDB.plugin(require('pouchdb-find'))
    const database = new PouchDB(join(directory, 'pouch'))
    const insert = (rows: readonly DeviceRow[]) =>
      database.bulkDocs(rows.map(({ id, ...row }) => ({ _id: id, ...row })))
    for (let from = 0; from < stored.length; from += 10_000) await insert(stored.slice(from, from + 10_000))
    await database.createIndex({ index: { fields: ['indexed'] } })
    const found = async (options: object) => (await database.find({ limit: 200, ...options })).docs.length
    await found({ selector: { indexed: '' } })
    return {
      createOne: ({ id, ...row }) => database.put({ _id: id, ...row }),
      createMany: insert,
      findIndexed: indexed => found({ selector: { indexed } }),
      findUnindexed: unindexed => found({ selector: { unindexed } }),
      byId: async id => ((await database.get(id)) === undefined ? 0 : 1),
      // PouchDB cannot sort without an index.
      pageIndexed: number =>
        found({ selector: { indexed: { $gte: null } }, sort: ['indexed'], limit: PAGE, skip: number * PAGE }),
      updateOne: async (id, note) => database.put({ ...(await database.get(id)), note }),
      removeBatch: async batch => {
        const { docs } = await database.find({ selector: { batch }, limit: 20_000 })
        await database.bulkDocs(docs.map(document => ({ ...document, _deleted: true })))
        return docs.length
      },
      close: () => database.close(),
    }
  },
}
