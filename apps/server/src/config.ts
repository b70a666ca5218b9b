import { SyncError } from '@godwit/protocol'
import { flawOfPassword } from './admin-password.js'
import type { Environment } from './environment.js'
import { secretOf } from './secret-of.js'
import { storeAddress } from './store-address.js'

/** Everything an operator sets by the environment, as values. */
export interface Settings {
  readonly port: number
  readonly host: string
  /** Address of the store, as `openStore` reads it. */
  readonly store: string
  readonly adminLogin: string
  /** Undefined where none is set: one is made when there is no admin (development), or the start is refused (production). */
  readonly adminPassword: string | undefined
  /** Path of the configuration file; undefined: the demo in development, no sources in production. */
  readonly configPath: string | undefined
  readonly logLevel: LogLevel
  /** Each request is a line of the log. */
  readonly logRequests: boolean
  /** Who asks for the metrics has to name it; undefined: anybody may ask. */
  readonly metricsToken: string | undefined
  /** Whether a proxy in front is believed; undefined: the configuration file says. */
  readonly trustProxy: boolean | undefined
  /** Origins of web pages that may call; undefined: the configuration file says. */
  readonly origins: readonly string[] | undefined
  /** Servers work on jobs. A process of the command `worker` does anyway. */
  readonly workers: boolean
  /** Where a process of the command `worker` says how it is; undefined: nowhere. */
  readonly workerPort: number | undefined
  /** Seconds in which a server that stops still takes requests; undefined: the configuration file says. */
  readonly stopDelay: number | undefined
  /** How many replicas of Redis have to know of a call before it begins; undefined: one, where there is or lately was one. */
  readonly replicas: number | undefined
  readonly allowReset: boolean
  readonly allowPrivateBackends: boolean
  /** Demo sources and logins, a made-up admin password, reset and loopback backends. */
  readonly development: boolean
}

const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug', 'trace'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Reads the environment; an empty variable counts as absent. Throws `value_not_allowed`, naming every variable that cannot be read. */
export function readSettings(environment: Environment): Settings {
  const problems: string[] = []
  const read = <T>(name: string, otherwise: T, parse: (text: string) => T | undefined, expected: string): T => {
    const text = environment[name]?.trim()
    if (text === undefined || text === '') return otherwise
    const value = parse(text)
    if (value === undefined) problems.push(`${name}: expected ${expected}, got "${text}".`)
    return value ?? otherwise
  }
  const secret = (read: () => string | undefined): string | undefined => {
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
    port: read('PORT', 8675, toPort, 'a port from 0 (a free one) to 65535'),
    host: read('HOST', '127.0.0.1', toHost, 'an address or a name without scheme and port'),
    store: secret(() => storeAddress(environment)) ?? '',
    adminLogin: read('SYNC_ADMIN_LOGIN', 'admin', toLogin, 'a login other than * and __shared__'),
    // Spaces belong to a password
    adminPassword: secret(() => secretOf(environment, 'SYNC_ADMIN_PASSWORD')),
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
    workerPort: read<number | undefined>('SYNC_WORKER_PORT', undefined, toPort, 'a port from 0 (a free one) to 65535'),
    stopDelay: read<number | undefined>('SYNC_STOP_DELAY', undefined, toSeconds, 'a number of seconds from 0 to 300'),
    replicas: read<number | undefined>('SYNC_REDIS_REPLICAS', undefined, toReplicas, 'a number from 0 to 99'),
    allowReset: read('SYNC_ALLOW_RESET', development, toBoolean, 'true or false'),
    allowPrivateBackends: read('SYNC_ALLOW_PRIVATE_BACKENDS', development, toBoolean, 'true or false'),
  }
  if (!development && !problems.some(problem => problem.startsWith('SYNC_ADMIN_PASSWORD_FILE: ')))
    problems.push(...passwordProblems(settings))
  if (problems.length > 0) throw new SyncError('value_not_allowed', problems.join(' '))
  return settings
}

/** Never with the password itself: what is said here stands in logs. */
function passwordProblems({ adminPassword, adminLogin }: Settings): readonly string[] {
  if (adminPassword === undefined) return [PASSWORD_MISSING]
  const flaw = flawOfPassword(adminPassword, adminLogin)
  return flaw === undefined ? [] : [`SYNC_ADMIN_PASSWORD: expected ${flaw}. NODE_ENV is not development.`]
}

const PASSWORD_MISSING =
  'SYNC_ADMIN_PASSWORD: expected a password, because NODE_ENV is not development. Set one; the server has no default.'

/** What is neither named development nor a test run is taken to be production: the stricter of the two. */
const isDevelopment = (text: string): boolean => text === 'development' || text === 'test'

const toPort = (text: string): number | undefined =>
  /^\d{1,5}$/.test(text) && Number(text) <= 65535 ? Number(text) : undefined
const toSeconds = (text: string): number | undefined =>
  /^\d{1,3}(\.\d{1,3})?$/.test(text) && Number(text) <= 300 ? Number(text) : undefined
const toReplicas = (text: string): number | undefined => (/^\d{1,2}$/.test(text) ? Number(text) : undefined)
const toOrigins = (text: string): readonly string[] | undefined => {
  const origins = text.split(/[\s,]+/).filter(origin => origin !== '')
  return origins.every(isOrigin) ? origins : undefined
}
/** To the letter as a browser sends it: scheme, host in lower case, and the port unless it is that of the scheme. */
const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text
const toHost = (text: string): string | undefined =>
  /^[\w.:%-]+$/.test(text) && !/^[\w.-]+:\d+$/.test(text) ? text : undefined
const toLogin = (text: string): string | undefined => (text === '*' || text === '__shared__' ? undefined : text)
const toLogLevel = (text: string): LogLevel | undefined => LOG_LEVELS.find(level => level === text.toLowerCase())

function toBoolean(text: string): boolean | undefined {
  if (/^(1|true|yes|on)$/i.test(text)) return true
  return /^(0|false|no|off)$/i.test(text) ? false : undefined
}
