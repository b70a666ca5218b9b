import { SyncError } from '@godwit/protocol'
import type { RecordValue, RegistryRecord, Store } from '@godwit/store'
import { isBarred, isLocked } from './user-record.js'

const PAGE = 500

/** Throws `last_admin` if no other user is an admin. Call it before the user loses the role. */
export async function checkOtherAdmin(registry: Store['registry'], login: string): Promise<void> {
  if (!(await hasAdmin(registry, login))) throw lastAdmin(login)
}

/**
 * Checks again after the user lost the role, and restores it if no admin is left: the last two may have lost it concurrently, and then both stay
 * admins.
 */
export async function undoIfNoAdmin(registry: Store['registry'], login: string, undo: RecordValue): Promise<void> {
  if (await hasAdmin(registry)) return
  await registry.merge('user', login, undo)
  throw lastAdmin(login)
}

const lastAdmin = (login: string): SyncError =>
  new SyncError(
    'last_admin',
    `${JSON.stringify(login)} is the last admin, and no other user could make one. Make another user an admin first (PUT /rc/v1/users/<user_id> with the role admin). Nothing was changed.`,
  )

async function hasAdmin(registry: Store['registry'], except?: string): Promise<boolean> {
  for (let after: string | undefined; ; ) {
    const page = await registry.list('user', { after, limit: PAGE })
    if (page.some(record => record.id !== except && isWorkingAdmin(record))) return true
    after = page.at(-1)?.id
    if (page.length < PAGE) return false
  }
}

const isWorkingAdmin = (record: RegistryRecord): boolean =>
  record.value['role'] === 'admin' && !isBarred(record) && !isLocked(record)
