import type { AuditCheck, AuditEntry, AuditList } from '@godwit/protocol'
import type { AdminEngine } from '../admin-engine.js'
import { checkChain } from '../audit/chain.js'
import { entryOf } from '../audit/entry.js'

type AuditEngine = Pick<AdminEngine, 'store'>

/** Lists audit entries, newest first. */
export async function listAudit(
  { store }: AuditEngine,
  { before, limit = 100 }: AuditList,
): Promise<readonly AuditEntry[]> {
  return (await store.audit.list({ before, limit })).map(entryOf)
}

/** Checks that no entry is missing, changed or reordered. */
export const checkAudit = ({ store }: AuditEngine): Promise<AuditCheck> => checkChain(store.audit)
