import type { CollectionId, DevicePage, DevicePageOptions } from '@godwit/store'
import type { Database } from '../database.js'
import { outcomesIn } from '../journal/list-entries.js'
import { changesIn } from './changes.js'
import { find } from './head.js'

export function page(
  database: Database,
  collection: CollectionId,
  { from, limit, client, outcomes: outcomeOptions }: DevicePageOptions,
): Promise<DevicePage | undefined> {
  return database.readAll(connection => {
    const row = find(connection, collection)
    if (!row) return undefined
    return {
      ...changesIn(connection, row, from, limit),
      outcomePage: outcomesIn(connection, row, client, outcomeOptions),
    }
  })
}
