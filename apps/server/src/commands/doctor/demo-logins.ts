import type { Environment } from '../../environment.js'
import { demoLoginsOf } from '../../first-start.js'
import { loadConfig } from '../../load-config.js'
import { type CheckResult, ok, warning } from './check-result.js'
import { settingsOf } from './environment.js'
import { readRegistry } from './registry.js'

const ABOUT = 'demo logins'

/** Checks in production that no demo login of a start in development works. Returns no result if that cannot be determined. */
export async function checkDemoLogins(environment: Environment): Promise<readonly CheckResult[]> {
  const settings = settingsOf(environment)
  if (settings instanceof Error || settings.development) return []
  const logins = await readRegistry(environment, async registry => {
    const { configPath, development } = settings
    const deciding = configPath === undefined ? {} : await loadConfig(configPath, { development })
    return demoLoginsOf({ registry }, deciding)
  })
  if (logins === undefined) return []
  if (logins.length === 0) return [ok(ABOUT, 'disabled')]
  const says = `${logins.join(', ')} from a start in development still work, with the login as password`
  return [warning(ABOUT, says, `Remove them: godwit users delete ${logins.join(' ')}`)]
}
