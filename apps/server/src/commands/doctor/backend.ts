import { AdminClient } from '@godwit/admin-client'
import type { Environment } from '../../environment.js'
import { loadConfig } from '../../load-config.js'
import { TokenFile } from '../token-file.js'
import { type CheckResult, ok, warning } from './check-result.js'
import { settingsOf } from './environment.js'
import { readRegistry } from './registry.js'

const ABOUT = 'backend address'

/** Checks that a configured HTTP backend has an address, and that an address is not left over. Returns no result if this cannot be determined. */
export async function checkBackend(url: string, environment: Environment): Promise<readonly CheckResult[]> {
  const isConfigured = await namesBackend(environment)
  if (isConfigured === undefined) return []
  const reported = await askServer(url, environment)
  const address = reported === undefined ? await askStore(environment) : reported
  if (address === undefined) {
    if (!isConfigured) return []
    const says = 'a backend is configured; only the server knows whether its address is set'
    return [{ ...ok(ABOUT, says), todo: 'To check it, run godwit login once, or set GODWIT_TOKEN.' }]
  }
  if (address !== null && !isConfigured && (await isLeftOver(environment))) {
    const says = `${address} is not used: the configuration no longer has a backend`
    const todo =
      'Run godwit sources backend --clear, set the address again, or add backend: { secret } to the configuration.'
    return [warning(ABOUT, says, todo)]
  }
  if (address !== null) return [ok(ABOUT, address)]
  if (!isConfigured) return []
  return [warning(ABOUT, 'no address is set for the configured backend', 'Run godwit sources backend URL.')]
}

/** True if the configuration names a backend; undefined if none can be read. */
async function namesBackend(environment: Environment): Promise<boolean | undefined> {
  const settings = settingsOf(environment)
  if (settings instanceof Error || settings.configPath === undefined) return undefined
  const { configPath, development } = settings
  return loadConfig(configPath, { development }).then(
    ({ backend }) => backend !== undefined,
    () => undefined,
  )
}

type BackendAddress = string | null | undefined

/** Asks the server only with an existing token, since a check should not create one. */
async function askServer(url: string, environment: Environment): Promise<BackendAddress> {
  try {
    const token = environment['GODWIT_TOKEN'] || new TokenFile(environment).find(url)?.token
    if (!token) return undefined
    return (await new AdminClient({ url, token }).system.readAppServer()).adapter_url
  } catch {
    return undefined
  }
}

const askStore = (environment: Environment): Promise<BackendAddress> =>
  readRegistry(environment, async registry => {
    const value = (await registry.get('server', 'appserver'))?.value
    return typeof value?.['adapter_url'] === 'string' ? value['adapter_url'] : null
  })

/** True if the address was set for a backend of the configuration. */
const isLeftOver = (environment: Environment): Promise<boolean | undefined> =>
  readRegistry(
    environment,
    async registry => (await registry.get('server', 'appserver'))?.value['unconfigured'] !== true,
  )
