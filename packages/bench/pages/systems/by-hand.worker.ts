import sqlite3InitModule from '@sqlite.org/sqlite-wasm'
import type { DeviceRow } from '../../src/device-rows.js'

type Call = { readonly number: number } & (
  | { readonly verb: 'store'; readonly rows: readonly DeviceRow[] }
  | { readonly verb: 'find'; readonly group: string }
)

type Sqlite3 = Awaited<ReturnType<typeof sqlite3InitModule>>

/** After a reload, handles of the former page become free a moment later; a pool that finds one in use would delete itself. */
async function openPool(sqlite3: Sqlite3) {
  for (let attempt = 1; ; attempt++)
    try {
      const options = { name: 'by-hand', preserveOnInitFailure: true, forceReinitIfPreviouslyFailed: true }
      return await sqlite3.installOpfsSAHPoolVfs(options)
    } catch (error) {
      if (attempt === 200) throw error
      await new Promise(resolve => setTimeout(resolve, 10))
    }
}

async function open() {
  const sqlite3 = await sqlite3InitModule()
  const pool = await openPool(sqlite3)
  const database = new pool.OpfsSAHPoolDb('/bench.sqlite')
  database.exec(
    `PRAGMA locking_mode = exclusive; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -8000;
     CREATE TABLE IF NOT EXISTS item (id TEXT PRIMARY KEY, indexed TEXT, unindexed TEXT, note TEXT, place TEXT, person TEXT, batch TEXT, rank INTEGER);
     CREATE INDEX IF NOT EXISTS item_indexed ON item (indexed)`,
  )
  const insert = database.prepare('INSERT INTO item VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  return {
    store(rows: readonly DeviceRow[]) {
      database.transaction(() => {
        for (const { id, indexed, unindexed, note, place, person, batch, rank } of rows)
          insert.bind([id, indexed, unindexed, note, place, person, batch, rank]).stepReset()
      })
    },
    find: (group: string) =>
      database.exec('SELECT * FROM item WHERE indexed = ?', {
        bind: [group],
        rowMode: 'object',
        returnValue: 'resultRows',
      }),
  }
}

const opened = open()
addEventListener('message', async ({ data }: MessageEvent<Call>) => {
  const { store, find } = await opened
  const result = data.verb === 'store' ? store(data.rows) : find(data.group)
  postMessage({ number: data.number, result })
})
