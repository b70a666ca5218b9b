import type { AuditHead, Store } from '@godwit/store'
import { silentLog } from '../../base/log.js'
import { Auditor } from './auditor.js'

/** A store that was restored from a backup. */
export interface Restore {
  /** The name of the backup. */
  readonly backup: string
  /** The head of the audit log that the restore replaced; entries after the backup are not in the restored log. */
  readonly former: AuditHead | undefined
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Records a restore in the audit log of the restored store. It runs on the machine itself, so the entry has no login. */
export function recordRestore(store: Pick<Store, 'audit'>, { backup, former, at }: Restore): Promise<void> {
  const about = { backup, former: former === undefined ? null : { number: former.number, hash: former.hash } }
  const by = { login: null, role: null, address: '' }
  return new Auditor({ store, log: silentLog }).record({
    ...by,
    time: new Date(at).toISOString(),
    action: 'store.restore',
    about,
    result: 'ok',
  })
}
