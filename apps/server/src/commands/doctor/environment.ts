import type { Source } from '@godwit/server'
import { unsupportedNode } from '@godwit/terminal/require-node'
import { flawOfPassword } from '../../admin-password.js'
import { readSettings, type Settings } from '../../config.js'
import type { Environment } from '../../environment.js'
import { loadConfig } from '../../load-config.js'
import { type CheckResult, messageOf, ok, problem, warning } from './check-result.js'

/** Checks the version of Node. */
export function checkNode(version: string): CheckResult {
  const flaw = unsupportedNode('godwit', version)
  return flaw === undefined ? ok('Node', version) : problem('Node', `${version} is too old`, 'Install Node 24.')
}

export function checkSettings(environment: Environment): readonly CheckResult[] {
  const settings = settingsOf(environment)
  if (settings instanceof Error)
    return [
      problem(
        'environment',
        settings.message,
        'Set or unset these variables; docs/operating/configure.md describes them.',
      ),
    ]
  const kind = settings.development ? 'development: demo logins, reset and loopback backends are allowed' : 'production'
  return [ok('environment', kind), passwordFinding(settings)]
}

export function settingsOf(environment: Environment): Settings | Error {
  try {
    return readSettings(environment)
  } catch (error) {
    return error instanceof Error ? error : new Error(messageOf(error))
  }
}

/** Checks the admin password; in production a weak one is rejected earlier. */
function passwordFinding({ adminPassword, adminLogin, host, development }: Settings): CheckResult {
  const about = 'admin password'
  if (adminPassword === undefined) return ok(about, 'not set: a new store gets a generated one, which is shown once')
  const flaw = flawOfPassword(adminPassword, adminLogin)
  if (flaw !== undefined)
    return warning(
      about,
      `weak: expected ${flaw}`,
      'Set a longer one: SYNC_ADMIN_PASSWORD, or godwit users password in a store that has an admin.',
    )
  if (development && !/^(127\.|::1$|localhost$)/.test(host))
    return warning(
      about,
      `strong, but HOST=${host} can be reached from outside, in development with demo logins`,
      'Set NODE_ENV=production.',
    )
  return ok(about, 'strong')
}

/** Loads the configuration file and checks its sources. */
export async function checkConfig(environment: Environment): Promise<readonly CheckResult[]> {
  const settings = settingsOf(environment)
  if (settings instanceof Error) return []
  const { configPath, development } = settings
  const about = 'configuration'
  if (configPath === undefined)
    return [
      development
        ? ok(about, 'none: the demo is used')
        : warning(about, 'none: the server has no sources', 'Set SYNC_CONFIG to a godwit.config.js, .mjs or .ts.'),
    ]
  try {
    const { sources = [], dynamicSources = false, backend } = await loadConfig(configPath, { development })
    const names = [...sources.map(({ name }) => name), ...(dynamicSources ? ['those created on first use'] : [])]
    return [
      ...sourcesFilledTwice(sources),
      names.length > 0
        ? ok(about, `${configPath}: ${names.join(', ')}`)
        : warning(about, `${configPath} has no sources`, 'Add sources: docs/sources.md.'),
      ...backendFindings(backend !== undefined, sources),
    ]
  } catch (error) {
    return [problem(about, messageOf(error), 'Fix the file.')]
  }
}

const METHODS = ['query', 'create', 'update', 'delete', 'search', 'login'] as const

/** A source without methods is served by the plugin backend, or only filled by pushes. */
function backendFindings(
  hasSecret: boolean,
  sources: readonly { readonly name: string; readonly methods: object }[],
): readonly CheckResult[] {
  const about = 'backend'
  const served = sources.filter(({ methods }) => !METHODS.some(name => Reflect.get(methods, name) !== undefined))
  if (served.length === 0) return []
  const names = served.map(({ name }) => name).join(', ')
  if (hasSecret)
    return [ok(about, `a secret is configured; ${names} are served by the HTTP backend at the address that is set`)]
  const says = `${names}: without functions, they are served by the HTTP backend if an address is set, and otherwise receive objects only by pushes`
  return [{ ...ok(about, says), todo: 'To use an HTTP backend, run godwit sources backend URL.' }]
}

/** Warns about a query with interval -1: such objects come by pushes, and a requested query would replace them. */
function sourcesFilledTwice(
  sources: readonly Pick<Source, 'name' | 'pollInterval' | 'methods'>[],
): readonly CheckResult[] {
  const both = sources.filter(({ pollInterval, methods }) => pollInterval === -1 && methods.query !== undefined)
  return both.map(({ name }) =>
    warning(
      'source',
      `${name} has a query and poll_interval -1: a requested query replaces the objects that were pushed`,
      'Remove the query if pushes fill the source, or set a poll_interval.',
    ),
  )
}
