import PouchDB from 'pouchdb'
import find from 'pouchdb-find'
import type { OpenPageSystem } from '../page-system.js'

const PART = 10_000

/** Documents with revisions, on IndexedDB. */
export const open: OpenPageSystem = async () => {
  PouchDB.plugin(find)
  const database = new PouchDB('bench')
  await database.createIndex({ index: { fields: ['indexed'] } })
  const count = async (indexed: string) => (await database.find({ selector: { indexed }, limit: 200 })).docs.length
  return {
    async store(rows) {
      for (let from = 0; from < rows.length; from += PART)
        await database.bulkDocs(rows.slice(from, from + PART).map(({ id, ...row }) => ({ _id: id, ...row })))
      // The index is built by the first query.
      await count('')
    },
    create: ({ id, ...row }) => database.put({ _id: id, ...row }),
    find: count,
    async live(indexed, report) {
      const changes = database
        .changes({ live: true, since: 'now', selector: { indexed } })
        .on('change', () => void count(indexed).then(report))
      report(await count(indexed))
      return () => changes.cancel()
    },
  }
}
