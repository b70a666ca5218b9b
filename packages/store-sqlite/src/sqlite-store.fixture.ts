import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StoreOptions } from '@godwit/store'
import { openSqliteStore } from './open-sqlite-store.js'

/** An empty store in memory, for the conformance suite. */
export const inMemory = async (options: StoreOptions) => ({ store: await openSqliteStore(':memory:', options) })

/** An empty store in a new file, for the conformance suite. */
export async function onFile(options: StoreOptions) {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-store-'))
  const reopen = () => openSqliteStore(join(folder, 'store.sqlite'), options)
  return { store: await reopen(), reopen, discard: async () => rmSync(folder, { recursive: true }) }
}
