import { join } from 'node:path'
import { openSqliteStore } from '@godwit/store-sqlite'
import { expect, test } from '@jest/globals'
import { folderPerTest } from '../../harness/folder-per-test.js'
import { census, expectedRows, tableBytes } from './census.js'

const folder = folderPerTest()

test('every table of a new store is accounted for, and none has more rows than expected', async () => {
  const file = join(folder.path, 'store.sqlite')
  const store = await openSqliteStore(file)
  try {
    const counts = await census(file, expectedRows([], { seconds: 0, removals: 0 }))
    expect(counts.length).toBeGreaterThan(15)
    expect(counts.filter(({ rows, most }) => rows > most)).toEqual([])
    // Without devices, no rows are expected in the tables of devices.
    const unaccounted = counts.filter(({ most }) => most === 0).map(({ table }) => table)
    expect(unaccounted.sort()).toEqual(['blob_account', 'blob_hold', 'client', 'cursor', 'mutation', 'place', 'reader'])
  } finally {
    await store.close()
  }
})

test('the bytes of an index count for its table', async () => {
  const file = join(folder.path, 'store.sqlite')
  const store = await openSqliteStore(file)
  try {
    // Each index has at least one page.
    expect(tableBytes(file).get('mutation')).toBeGreaterThanOrEqual(6 * 4096)
    expect([...tableBytes(file).keys()]).not.toContain('mutation_by_key')
  } finally {
    await store.close()
  }
})
