import { AdminClient } from '@godwit/admin-client'
import type { Environment } from '../../environment.js'
import { loadConfig } from '../../load-config.js'
import { TokenFile } from '../token-file.js'
import { type CheckResult, ok, warning } from './check-result.js'
import { settingsOf } from './environment.js'
import { readRegistry } from './registry.js'

const ABOUT = 'backend address'

/** Checks that both the address and the secret of the HTTP backend are set, or neither. Returns no result if either cannot be determined. */
export async function checkBackend(url: string, environment: Environment): Promise<readonly CheckResult[]> {
  const hasSecret = await secretIn(environment)
  if (hasSecret === undefined) return []
  const told = await askServer(url, environment)
  const address = told === undefined ? await askStore(environment) : told
  if (address === undefined) {
    if (!hasSecret) return []
    const says = 'a secret is configured; whether an address is set only the server tells'
    return [{ ...ok(ABOUT, says), todo: 'For that, run godwit login once, or set GODWIT_TOKEN.' }]
  }
  if (address !== null && hasSecret) return [ok(ABOUT, address)]
  if (address !== null) {
    const says = `${address} is set, and nothing asks it: the configuration has no backend secret`
    return [
      warning(ABOUT, says, 'Add backend: { secret } to the configuration, or run godwit sources backend --clear.'),
    ]
  }
  if (!hasSecret) return []
  return [warning(ABOUT, 'none is set: no backend shares the secret', 'Run godwit sources backend URL.')]
}

/** True if a backend secret is configured; undefined if no configuration can be read. */
async function secretIn(environment: Environment): Promise<boolean | undefined> {
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
