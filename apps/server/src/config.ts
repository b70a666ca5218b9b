import { SyncError } from '@godwit/protocol'
import type { AuthProvider } from '@godwit/server'
import type { Durability } from '@godwit/store-sqlite'
import { flawOfPassword } from './admin-password.js'
import type { Environment } from './environment.js'
import { type PushSettings, readPushSettings } from './push-settings.js'
import { secretOf } from './secret-of.js'
import { authOf } from './sign-in-settings.js'
import { storeAddress } from './store-address.js'

/** The settings that an operator makes by environment variables. */
export interface Settings {
  readonly port: number
  readonly host: string
  /** The address of the store, as `openStore` parses it. */
  readonly store: string
  readonly adminLogin: string
  /** What devices and operators sign in with; undefined: the configuration file decides. */
  readonly auth: readonly AuthProvider[] | undefined
  /** Undefined if not set: without an admin, one is generated in development, and the start is refused in production. */
  readonly adminPassword: string | undefined
  /** The path of the configuration file. Undefined: the demo in development, no sources in production. */
  readonly configPath: string | undefined
  readonly logLevel: LogLevel
  /** True if each request is logged. */
  readonly logRequests: boolean
  /** The token required for the metrics; undefined: none is required. */
  readonly metricsToken: string | undefined
  /** True to trust the proxy in front; undefined: the configuration file decides. */
  readonly trustProxy: boolean | undefined
  /** Origins of web pages that may call the server; undefined: the configuration file decides. */
  readonly origins: readonly string[] | undefined
  /** True if servers run jobs. A `worker` process always does. */
  readonly workers: boolean
  /** The port for health checks of a `worker` process; undefined: none. */
  readonly workerPort: number | undefined
  /** Seconds for which a stopping server still accepts requests; undefined: the configuration file decides. */
  readonly stopDelay: number | undefined
  /** The N of scrypt for new password hashes; undefined: the configuration file decides. */
  readonly passwordCost: number | undefined
  /** Redis replicas that must confirm a call before it starts; undefined: one, if there is or recently was a replica. */
  readonly replicas: number | undefined
  /** What an acknowledged write survives in a SQLite store. */
  readonly durability: Durability
  readonly allowReset: boolean
  /** The address of a PostgreSQL whose tables the demo serves; undefined: the demo needs no database. */
  readonly demo: string | undefined
  /** The port of the demo's identity provider; undefined: there is none. */
  readonly demoProvider: number | undefined
  /** True if the users of the demo begin with three visits each. */
  readonly demoVisits: boolean
  readonly allowPrivateBackends: boolean
  /** The push providers that the environment configures. */
  readonly push: PushSettings
  /** The text in place of silent messages that a platform has no room for; undefined: the configuration file decides. */
  readonly pushFallback: string | undefined
  /** Enables demo sources and logins, a generated admin password, reset and loopback backends. */
  readonly development: boolean
}

const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug', 'trace'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Reads the environment; an empty variable counts as absent. Throws `value_not_allowed`, which names every invalid variable. */
export function readSettings(environment: Environment): Settings {
  const problems: string[] = []
  const read = <T>(name: string, otherwise: T, parse: (text: string) => T | undefined, expected: string): T => {
    const text = environment[name]?.trim()
    if (text === undefined || text === '') return otherwise
    const value = parse(text)
    if (value === undefined) problems.push(`${name}: expected ${expected}, got "${text}".`)
    return value ?? otherwise
  }
  const secret = <T>(read: () => T | undefined): T | undefined => {
    try {
      return read()
    } catch (error) {
      problems.push((error as Error).message)
      return undefined
    }
  }
  const development = read('NODE_ENV', true, text => isDevelopment(text), 'a name')
  const settings: Settings = {
    development,
    port: read('PORT', 8675, toPort, 'a port from 0 (any free port) to 65535'),
    host: read('HOST', '127.0.0.1', toHost, 'an address or a name without scheme and port'),
    store: secret(() => storeAddress(environment)) ?? '',
    adminLogin: read('SYNC_ADMIN_LOGIN', 'admin', toLogin, 'a login other than * and __shared__'),
    // Not trimmed: spaces may belong to a password.
    adminPassword: secret(() => secretOf(environment, 'SYNC_ADMIN_PASSWORD')),
    auth: secret(() => authOf(environment)),
    configPath: read<string | undefined>('SYNC_CONFIG', undefined, text => text, 'a path'),
    logLevel: read('SYNC_LOG_LEVEL', 'info', toLogLevel, `one of ${LOG_LEVELS.join(', ')}`),
    logRequests: read('SYNC_LOG_REQUESTS', false, toBoolean, 'true or false'),
    metricsToken: secret(() => secretOf(environment, 'SYNC_METRICS_TOKEN'))?.trim() || undefined,
    trustProxy: read<boolean | undefined>('SYNC_TRUST_PROXY', undefined, toBoolean, 'true or false'),
    origins: read<readonly string[] | undefined>(
      'SYNC_ORIGINS',
      undefined,
      toOrigins,
      'origins such as https://app.example, with commas between',
    ),
    workers: read('SYNC_WORKERS', true, toBoolean, 'true or false'),
    workerPort: read<number | undefined>(
      'SYNC_WORKER_PORT',
      undefined,
      toPort,
      'a port from 0 (any free port) to 65535',
    ),
    stopDelay: read<number | undefined>('SYNC_STOP_DELAY', undefined, toSeconds, 'a number of seconds from 0 to 300'),
    passwordCost: read<number | undefined>('SYNC_PASSWORD_COST', undefined, toPasswordCost, POWER_OF_TWO),
    replicas: read<number | undefined>('SYNC_REDIS_REPLICAS', undefined, toReplicas, 'a number from 0 to 99'),
    durability: read('SYNC_DURABILITY', 'full', toDurability, 'full or normal'),
    allowReset: read('SYNC_ALLOW_RESET', development, toBoolean, 'true or false'),
    demo: read<string | undefined>('SYNC_DEMO', undefined, toPostgres, 'an address postgres://…'),
    demoProvider: read<number | undefined>(
      'SYNC_DEMO_PROVIDER',
      undefined,
      toPort,
      'a port from 0 (any free port) to 65535',
    ),
    demoVisits: read('SYNC_DEMO_VISITS', true, toBoolean, 'true or false'),
    push: secret(() => readPushSettings(environment)) ?? {},
    pushFallback: read<string | undefined>('SYNC_PUSH_FALLBACK', undefined, text => text, 'a text'),
    allowPrivateBackends: read('SYNC_ALLOW_PRIVATE_BACKENDS', development, toBoolean, 'true or false'),
  }
  if (!development && !problems.some(problem => problem.startsWith('SYNC_ADMIN_PASSWORD_FILE: ')))
    problems.push(...passwordProblems(settings))
  if (settings.demoProvider !== undefined && !isDemo(settings)) problems.push(PROVIDER_WITHOUT_DEMO)
  if (problems.length > 0) throw new SyncError('value_not_allowed', problems.join(' '))
  return settings
}

/** Never includes the password, since these messages are logged. */
function passwordProblems({ adminPassword, adminLogin }: Settings): readonly string[] {
  if (adminPassword === undefined) return [PASSWORD_MISSING]
  const flaw = flawOfPassword(adminPassword, adminLogin)
  return flaw === undefined ? [] : [`SYNC_ADMIN_PASSWORD: expected ${flaw}. NODE_ENV is not development.`]
}

/** True if the demo runs: in development, without a configuration file. */
export const isDemo = ({ configPath, development }: Pick<Settings, 'configPath' | 'development'>): boolean =>
  development && configPath === undefined

const PROVIDER_WITHOUT_DEMO =
  'SYNC_DEMO_PROVIDER: expected a start of the demo, got one with SYNC_CONFIG or in production. Its accounts have no passwords: remove it.'

const PASSWORD_MISSING =
  'SYNC_ADMIN_PASSWORD: expected a password, because NODE_ENV is not development. Set one; the server has no default.'

/** Any value other than `development` and `test` means production, the stricter mode. */
const isDevelopment = (text: string): boolean => text === 'development' || text === 'test'

const toPort = (text: string): number | undefined =>
  /^\d{1,5}$/.test(text) && Number(text) <= 65535 ? Number(text) : undefined
const toSeconds = (text: string): number | undefined =>
  /^\d{1,3}(\.\d{1,3})?$/.test(text) && Number(text) <= 300 ? Number(text) : undefined
const POWER_OF_TWO = 'a power of two from 2 to 1048576'
const toPasswordCost = (text: string): number | undefined =>
  /^\d{1,7}$/.test(text) && Number(text) >= 2 && Number(text) <= 2 ** 20 && Number.isInteger(Math.log2(Number(text)))
    ? Number(text)
    : undefined
const toReplicas = (text: string): number | undefined => (/^\d{1,2}$/.test(text) ? Number(text) : undefined)
const toDurability = (text: string): Durability | undefined => (['full', 'normal'] as const).find(one => one === text)
const toOrigins = (text: string): readonly string[] | undefined => {
  const origins = text.split(/[\s,]+/).filter(origin => origin !== '')
  return origins.every(isOrigin) ? origins : undefined
}
/** True for an origin as browsers send it: scheme, lower-case host, and the port unless it is the scheme's default. */
const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text
const toPostgres = (text: string): string | undefined => (/^postgres(ql)?:\/\//.test(text) ? text : undefined)
const toHost = (text: string): string | undefined =>
  /^[\w.:%-]+$/.test(text) && !/^[\w.-]+:\d+$/.test(text) ? text : undefined
const toLogin = (text: string): string | undefined => (text === '*' || text === '__shared__' ? undefined : text)
const toLogLevel = (text: string): LogLevel | undefined => LOG_LEVELS.find(level => level === text.toLowerCase())

function toBoolean(text: string): boolean | undefined {
  if (/^(1|true|yes|on)$/i.test(text)) return true
  return /^(0|false|no|off)$/i.test(text) ? false : undefined
}
