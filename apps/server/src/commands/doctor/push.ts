import type { Environment } from '../../environment.js'
import { loadConfig } from '../../load-config.js'
import { openPushProviders } from '../../push-providers.js'
import type { PushSettings } from '../../push-settings.js'
import { type CheckResult, messageOf, ok, problem, warning } from './check-result.js'
import { settingsOf } from './environment.js'

const ABOUT = 'push messages'
/** Milliseconds for the answer of a push service. */
const PATIENCE = 10_000

/** Tests the push providers of the environment and the configuration file: by a dry run that reaches no device. */
export async function checkPush(environment: Environment, signal: AbortSignal): Promise<readonly CheckResult[]> {
  const settings = await pushSettingsOf(environment)
  if (settings === undefined) return []
  try {
    const providers = Object.entries(await openPushProviders(settings))
    if (providers.length === 0) return [ok(ABOUT, 'no provider is configured: devices are reached while they listen')]
    return await Promise.all(
      providers.map(async ([name, provider]): Promise<CheckResult> => {
        const about = `push messages by ${name}`
        try {
          return ok(about, await provider.test(AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)])))
        } catch (error) {
          return warning(about, messageOf(error), 'See docs/operating/push.md.')
        } finally {
          if ('close' in provider && typeof provider.close === 'function') provider.close()
        }
      }),
    )
  } catch (error) {
    return [problem(ABOUT, messageOf(error), 'Mend the variables SYNC_PUSH_… or push in the configuration file.')]
  }
}

/** Undefined if the environment or the configuration file cannot be read, which other checks report. */
async function pushSettingsOf(environment: Environment): Promise<PushSettings | undefined> {
  const settings = settingsOf(environment)
  if (settings instanceof Error) return undefined
  const { configPath, development, push } = settings
  if (configPath === undefined) return push
  return loadConfig(configPath, { development }).then(
    config => ({ ...config.push, ...push }),
    () => undefined,
  )
}
