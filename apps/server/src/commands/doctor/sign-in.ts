import { isSyncError } from '@godwit/protocol'
import { type AuthProvider, guardedClient, silentLog } from '@godwit/server'
import type { Environment } from '../../environment.js'
import { loadConfig } from '../../load-config.js'
import { type CheckResult, messageOf, ok, problem } from './check-result.js'
import { settingsOf } from './environment.js'

const ABOUT = 'sign-in'

/** Fetches the keys of each identity provider that is configured. */
export async function checkSignIn(environment: Environment): Promise<readonly CheckResult[]> {
  const settings = settingsOf(environment)
  if (settings instanceof Error) return []
  const { configPath, development, allowPrivateBackends } = settings
  const config =
    configPath === undefined ? undefined : await loadConfig(configPath, { development }).catch(() => undefined)
  const providers = settings.auth ?? config?.auth ?? []
  return Promise.all(providers.flatMap(one => (one.kind === 'tokens' ? [checkKeys(one, allowPrivateBackends)] : [])))
}

async function checkKeys(
  { issuer, open }: Extract<AuthProvider, { kind: 'tokens' }>,
  allowPrivate: boolean,
): Promise<CheckResult> {
  const guarded = guardedClient({ allowPrivate })
  try {
    const { fetch } = guarded
    const verifier = open({ fetch, clock: Date.now, randomId: () => crypto.randomUUID(), log: silentLog })
    const count = await verifier.checkKeys()
    if (count > 0) return ok(ABOUT, `${issuer}: ${count} ${count === 1 ? 'key' : 'keys'}`)
    return problem(ABOUT, `${issuer} has no public keys`, 'Check the issuer: no token of it is accepted.')
  } catch (error) {
    const reason = isSyncError(error) && error.cause instanceof Error ? error.cause.message : messageOf(error)
    const todo =
      'Check the issuer, the network and, for an address within it, SYNC_ALLOW_PRIVATE_BACKENDS: docs/operating/sign-in.md.'
    return problem(ABOUT, `the keys of ${issuer} cannot be fetched: ${reason}`, todo)
  } finally {
    guarded.close()
  }
}
