import type { SourceStatus } from '@godwit/model'
import { useSyncStatus } from './use-sync-status.js'

const NEVER_SYNCED: SourceStatus = { synced: false, progress: null, error: null, staleSince: null }

/** Returns the sync state of one model: whether its first sync is done, progress of a running one, and the last error. */
export const useSourceStatus = ({ name }: { readonly name: unknown }): SourceStatus =>
  useSyncStatus().sources?.[name as string] ?? NEVER_SYNCED
