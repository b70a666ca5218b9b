import type { Registry } from '@godwit/store'
import { assertOurs } from '../migrate.js'
import { type RecordRow, recordOf, SELECT_RECORD } from '../registry.js'
import { openFile, storeErrors } from './open-file.js'

/** The records in a store's file. */
export interface StoreRecords extends Pick<Registry, 'get'> {
  close(): void
}

/** Opens the records in a store's file for reading, also while a server uses it. Throws `store_unavailable` if the file is not a store of a known schema. */
export function openSqliteRecords(path: string): StoreRecords {
  const handle = openFile(path)
  try {
    storeErrors(path, () => assertOurs(handle, path))
  } catch (error) {
    handle.close()
    throw error
  }
  return {
    get: async (kind, id) =>
      storeErrors(path, () => {
        const row = handle.prepare<unknown[], RecordRow>(SELECT_RECORD).get(kind, id, Date.now())
        return row && recordOf(row)
      }),
    close: () => void handle.close(),
  }
}
