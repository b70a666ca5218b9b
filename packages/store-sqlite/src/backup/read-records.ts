import type { Registry } from '@godwit/store'
import { type RecordRow, recordOf, SELECT_RECORD } from '../registry.js'
import { openFile, storeErrors } from './open-file.js'

/** The records in a store's file. */
export interface StoreRecords extends Pick<Registry, 'get'> {
  close(): void
}

/** Opens the records in a store's file for reading, also while a server uses it. `get` rejects with `store_unavailable` if the file is not a store. */
export function openSqliteRecords(path: string): StoreRecords {
  const handle = openFile(path)
  return {
    get: async (kind, id) =>
      storeErrors(path, () => {
        const row = handle.prepare<unknown[], RecordRow>(SELECT_RECORD).get(kind, id, Date.now())
        return row && recordOf(row)
      }),
    close: () => void handle.close(),
  }
}
