import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { jwt, oidc, passwords } from '@godwit/auth'
import { isJsonObject, SyncError } from '@godwit/protocol'
import { defineSource, oncePerKey, refusal, type SyncServerOptions } from '@godwit/server'
import type { sqlFeed, sqlSource } from '@godwit/sql'
import type { connectDatabase } from './connect-database.js'
import type { PushSettings } from './push-settings.js'

/** The options that a configuration file may set; the environment sets the others. */
export interface Config
  extends Pick<
    SyncServerOptions,
    | 'sources'
    | 'authenticate'
    | 'auth'
    | 'backend'
    | 'dynamicSources'
    | 'limits'
    | 'origins'
    | 'trustProxy'
    | 'pushProviders'
    | 'pushFallback'
  > {
  /** The options of the push providers. */
  readonly push?: PushSettings
}

/** The argument of a configuration that is a function, so that the file needs no imports. */
export interface ConfigTools {
  readonly defineSource: typeof defineSource
  readonly refusal: typeof refusal
  readonly oncePerKey: typeof oncePerKey
  /** Connects to a database by its address. */
  readonly connectDatabase: typeof connectDatabase
  readonly sqlFeed: typeof sqlFeed
  readonly sqlSource: typeof sqlSource
  readonly passwords: typeof passwords
  readonly oidc: typeof oidc
  readonly jwt: typeof jwt
  readonly development: boolean
}

const MEMBERS = [
  'sources',
  'authenticate',
  'auth',
  'backend',
  'dynamicSources',
  'limits',
  'origins',
  'trustProxy',
  'push',
  'pushProviders',
  'pushFallback',
]

/** Loads `godwit.config.js`, `.mjs` or `.ts`: its default export, or the result if that is a function. */
export async function loadConfig(path: string, { development }: Pick<ConfigTools, 'development'>): Promise<Config> {
  const file = resolve(path)
  if (!/\.(js|mjs|ts|mts)$/.test(file)) throw invalidConfig(`expected a .js, .mjs or .ts file, got ${path}.`)
  if (!existsSync(file)) throw invalidConfig(`there is no file ${file}.`)
  try {
    const { default: exported } = (await import(pathToFileURL(file).href)) as { readonly default?: unknown }
    return validateConfig(typeof exported === 'function' ? await exported(await toolsOf(development)) : exported)
  } catch (cause) {
    throw invalidConfig(`${file}: ${cause instanceof Error ? describe(cause, file) : String(cause)}`, cause)
  }
}

/** Loads what few configurations use only for those that are functions. */
async function toolsOf(development: boolean): Promise<ConfigTools> {
  const [{ connectDatabase }, { sqlFeed, sqlSource }, { jwt, oidc, passwords }] = await Promise.all([
    import('./connect-database.js'),
    import('@godwit/sql'),
    import('@godwit/auth'),
  ])
  const ofSources = { defineSource, refusal, oncePerKey, connectDatabase, sqlFeed, sqlSource }
  return { ...ofSources, passwords, oidc, jwt, development }
}

/** Returns the message with its position in the file. Node reports no line for a file that it cannot parse. */
function describe(error: Error, file: string): string {
  const { message, stack = '' } = error
  if (error instanceof SyntaxError && !stack.includes(file))
    return `${message}. \`node --check ${file}\` shows the line.`
  const inFile = stack.split(pathToFileURL(file).href)[1] ?? stack.split(file)[1] ?? ''
  const [, line, column] = /^:(\d+):(\d+)/.exec(inFile) ?? []
  return line === undefined ? message : `${message} (at line ${line}, column ${column})`
}

function validateConfig(config: unknown): Config {
  if (!isJsonObject(config))
    throw new TypeError(
      `expected a default export that is (or makes) { ${MEMBERS.join(', ')} }, got ${kindOf(config)}.`,
    )
  const unknown = Object.keys(config).filter(name => !MEMBERS.includes(name))
  if (unknown.length > 0) throw new TypeError(`expected the members ${MEMBERS.join(', ')}, got ${unknown.join(', ')}.`)
  const { sources = [], authenticate, auth, origins, limits, push, pushProviders } = config
  if (!Array.isArray(sources) || !sources.every(isSource))
    throw new TypeError(`sources: expected an array of sources made by defineSource, got ${kindOf(sources)}.`)
  if (authenticate !== undefined && typeof authenticate !== 'function')
    throw new TypeError(`authenticate: expected a function, got ${kindOf(authenticate)}.`)
  if (auth !== undefined && !Array.isArray(auth))
    throw new TypeError(`auth: expected an array of passwords(), oidc(…) and jwt(…), got ${kindOf(auth)}.`)
  if (origins !== undefined && !(Array.isArray(origins) && origins.every(origin => typeof origin === 'string')))
    throw new TypeError(`origins: expected an array of strings, got ${kindOf(origins)}.`)
  if (limits !== undefined && !isJsonObject(limits))
    throw new TypeError(`limits: expected an object, got ${kindOf(limits)}.`)
  for (const [name, value] of Object.entries({ push, pushProviders }))
    if (value !== undefined && !isJsonObject(value))
      throw new TypeError(`${name}: expected an object, got ${kindOf(value)}.`)
  return { ...config, sources }
}

const isSource = (value: unknown): boolean =>
  isJsonObject(value) && typeof value['name'] === 'string' && isJsonObject(value['methods'])
const kindOf = (value: unknown): string =>
  value === undefined
    ? 'nothing'
    : value === null
      ? 'null'
      : Array.isArray(value)
        ? 'an array'
        : `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`
const invalidConfig = (message: string, cause?: unknown): SyncError =>
  new SyncError('value_not_allowed', `SYNC_CONFIG: ${message}`, { cause })
