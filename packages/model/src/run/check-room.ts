import { SyncError } from '@godwit/protocol'
import type { SyncContext } from './sync-context.js'

/** Throws `storage_full` if the disk has no room for the server's data. */
export async function checkRoom({ isFull }: Pick<SyncContext, 'isFull'>): Promise<void> {
  if (!(await isFull())) return
  throw new SyncError('storage_full', 'The storage of this device is full. Free some space and sync again.')
}
