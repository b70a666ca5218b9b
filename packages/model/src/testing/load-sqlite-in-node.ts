import { readFile } from 'node:fs/promises'
import { loadSqlite3, type Sqlite3 } from '../browser/sqlite3.js'

/** SQLite in WebAssembly without a browser, whose `fetch` reads no files. */
export const loadSqliteInNode = async (): Promise<Sqlite3> =>
  loadSqlite3(new Uint8Array(await readFile(new URL('../browser/sqlite3.wasm', import.meta.url))))
