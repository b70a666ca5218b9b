import { readFile } from 'node:fs/promises'
import { loadSqlite3, type Sqlite3 } from '../browser/sqlite3.js'

/** Loads SQLite in WebAssembly in Node, whose `fetch` cannot read files. */
export const loadSqliteInNode = async (): Promise<Sqlite3> =>
  loadSqlite3(new Uint8Array(await readFile(new URL('../browser/sqlite3.wasm', import.meta.url))))
