import { quote } from '../columns/table-shape.js'
import { databaseError } from '../drivers/statement-errors.js'
import type { Drive, Driver } from '../platform/driver.js'
import type { MemoryFiles } from './memory-files.js'
import { OK, type Pointer, type Sqlite3 } from './sqlite3.js'
import { wasmDriver } from './wasm-driver.js'

const FREE_ON_CLOSE = 1
const READ_ONLY = 4

/** A device in memory, lost when its worker ends. Databases that it did not create are read from `files`. */
export function memoryDrive(sqlite3: Sqlite3, files: Pick<MemoryFiles, 'content' | 'remove'>): Drive {
  let isLocked = false
  const attach = ({ exec }: Pick<Driver, 'exec'>, _: string, schema: string): void =>
    exec(`ATTACH ':memory:' AS ${quote(schema)}`)
  return {
    open: () =>
      wasmDriver(sqlite3, {
        path: ':memory:',
        vfs: null,
        attach,
        attachPlain(driver, file, schema, database) {
          attach(driver, file, schema)
          const content = files.content(file)
          if (content) fill(sqlite3, { database, schema, content })
        },
      }),
    delete: file => void files.remove(file),
    lock() {
      if (isLocked) return undefined
      isLocked = true
      return () => {
        isLocked = false
      }
    },
  }
}

interface FillRequest {
  readonly database: Pointer
  readonly schema: string
  readonly content: Uint8Array
}

function fill({ capi, wasm }: Sqlite3, { database, schema, content }: FillRequest): void {
  const { length } = content
  const pointer = wasm.alloc(length)
  wasm.heap8u().set(content, pointer)
  const code = capi.sqlite3_deserialize(database, schema, pointer, length, length, FREE_ON_CLOSE | READ_ONLY)
  if (code !== OK) throw databaseError(new Error(capi.sqlite3_errmsg(database)), 'ATTACH')
}
