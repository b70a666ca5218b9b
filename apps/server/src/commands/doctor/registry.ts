import { existsSync } from 'node:fs'
import type { Registry } from '@godwit/store'
import type { Environment } from '../../environment.js'
import { openStore } from '../../open-store.js'
import { isShared, sqlitePath, storeAddress } from '../../store-address.js'

/** Reads the registry of the environment's store, also while servers use it. Undefined if there is none yet, or it cannot be read. */
export async function readRegistry<Result>(
  environment: Environment,
  read: (registry: Pick<Registry, 'get'>) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    const opened = await openRegistry(storeAddress(environment))
    return opened && (await read(opened.registry).finally(() => opened.close()))
  } catch {
    // The checks of the store say why.
    return undefined
  }
}

async function openRegistry(address: string) {
  if (isShared(address)) return openStore(address)
  const path = sqlitePath(address)
  if (path === undefined || !existsSync(path)) return undefined
  const { openSqliteRecords } = await import('@godwit/store-sqlite')
  const registry = openSqliteRecords(path)
  return { registry, close: registry.close }
}
