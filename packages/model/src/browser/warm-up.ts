import { OK, type Sqlite3 } from './sqlite3.js'

/** The steps of an opening and its first queries, each of which uses other parts of SQLite. */
const STEPS = [
  `CREATE TABLE note (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID`,
  `SELECT value FROM note WHERE name = 'a' ORDER BY value LIMIT 1`,
  `INSERT INTO note VALUES ('a', 'b') ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
]

/**
 * Runs some statements in memory while files are opened, until `isOver`. Browsers compile WebAssembly functions at their first call, so this moves
 * that cost before the app waits for it.
 */
export async function warmUp({ capi, wasm }: Sqlite3, isOver: () => boolean): Promise<void> {
  const stack = wasm.pstack.pointer
  const out = wasm.pstack.allocPtr()
  const isOpen = capi.sqlite3_open_v2(':memory:', out, READ_WRITE, null) === OK
  const database = wasm.peekPtr(out)
  wasm.pstack.restore(stack)
  for (const sql of isOpen ? STEPS : []) {
    if (isOver()) break
    capi.sqlite3_exec(database, sql, 0, 0, 0)
    // Lets the browser's callbacks run.
    await new Promise(resolve => setTimeout(resolve))
  }
  capi.sqlite3_close_v2(database)
}

const READ_WRITE = 0x02
