import { SyncError } from '@godwit/protocol'
import type { Environment } from '../environment.js'
import { sqlitePath, storeAddress } from '../store-address.js'

/** Returns the file of the embedded store in SYNC_STORE. Throws if there is none, with what to do instead. */
export function storeFile(environment: Environment, deed: 'back up' | 'restore'): string {
  const address = storeAddress(environment)
  const path = sqlitePath(address)
  if (path !== undefined) return path
  throw new SyncError('value_not_allowed', `SYNC_STORE: cannot ${deed} ${reasonOf(address)}`)
}

function reasonOf(address: string): string {
  const [scheme = ''] = address.split(':', 1)
  if (/^redis/.test(scheme))
    return `a ${scheme}: store. Redis keeps its own files: use BGSAVE and copy its RDB or AOF files (docs/operating/backup-and-restore.md).`
  if (scheme === 'memory' || address === 'sqlite::memory:')
    return 'a store in memory: it ends with its process. Name the file of a store: SYNC_STORE=sqlite:PATH.'
  return `the store that it names. Expected sqlite:PATH, got the scheme ${scheme}:.`
}
