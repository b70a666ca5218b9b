import { isSyncError, type UserRole } from '@godwit/protocol'
import { messageOf } from '@godwit/source'
import { findUser } from '../../accounts/users/user-record.js'
import type { AdminEngine } from '../admin-engine.js'

type LoginReportEngine = Pick<AdminEngine, 'store' | 'reporter' | 'log'>

/** The login of an attempt, and whether it is for the API or a device. */
interface LoginAttempt {
  readonly login: string
  readonly api: boolean
}

/** Runs a login and reports its result as an event. */
export async function reportLogin<T extends { readonly role: UserRole; readonly login?: string }>(
  engine: LoginReportEngine,
  attempt: LoginAttempt,
  work: () => Promise<T>,
): Promise<T> {
  try {
    const done = await work()
    engine.reporter.report({ kind: 'login', user: done.login ?? attempt.login, role: done.role })
    return done
  } catch (error) {
    if (engine.reporter.isWatched) void reportRefused(engine, attempt, isSyncError(error) ? error.code : 'internal')
    throw error
  }
}

/** Reports the login only if the user exists, since people type passwords into login fields. */
async function reportRefused({ store, reporter, log }: LoginReportEngine, { login, api }: LoginAttempt, code: string) {
  try {
    const user = await findUser(store.registry, login)
    reporter.report({ kind: 'login_refused', user: user?.login ?? null, api, code })
  } catch (error) {
    log.debug({ error: messageOf(error) }, 'could not report a refused login')
  }
}
