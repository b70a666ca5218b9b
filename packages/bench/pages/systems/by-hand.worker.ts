import sqlite3InitModule from '@sqlite.org/sqlite-wasm'
import type { DeviceRow } from '../../src/device-rows.js'

type Call = { readonly number: number } & (
  | { readonly verb: 'store'; readonly rows: readonly DeviceRow[] }
  | { readonly verb: 'find'; readonly group: string }
)

async function open() {
  const sqlite3 = await sqlite3InitModule()
  const pool = await sqlite3.installOpfsSAHPoolVfs({ name: 'by-hand' })
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
