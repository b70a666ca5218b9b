import { isSyncError, SyncError } from '@godwit/protocol'
import type { Log } from '@godwit/server'
import { createSyncServer, DEFAULT_LIMITS, type Limits, type PushProviders, type SyncServer } from '@godwit/server'
import { messageOf } from './commands/doctor/check-result.js'
import { isDemo, readSettings, type Settings } from './config.js'
import { openDemo } from './demo/demo.js'
import type { Environment } from './environment.js'
import { demoLine, firstStart } from './first-start.js'
import { type Config, loadConfig } from './load-config.js'
import { type LogOutput, openLog } from './log.js'
import { lockStore, type OpenStore, openStore } from './open-store.js'
import { builtPages } from './pages.js'
import { openPushProviders } from './push-providers.js'
import { retryUntilReady } from './retry-until-ready.js'
import { type Signals, stopOnSignal } from './stop.js'
import { isShared, sqlitePath } from './store-address.js'
import { surviveStrayErrors } from './survive-stray-errors.js'

/** The parts of a process that the command uses; `process` fits. */
export interface ProcessHost extends Signals {
  readonly env: Environment
  readonly stdout: { write(text: string): unknown }
  readonly stderr: LogOutput
}

/** Open resources, closed in reverse order. */
export class OpenResources {
  readonly #closers: (() => void | Promise<void>)[] = []

  keep<T extends { close(): void | Promise<void> }>(thing: T): T {
    this.#closers.push(() => thing.close())
    return thing
  }

  async close(): Promise<void> {
    for (let close = this.#closers.pop(); close; close = this.#closers.pop()) await close()
  }
}

/** Runs the server until a signal stops it. Resolves with its address when it listens. */
export async function start(host: ProcessHost, environment = host.env): Promise<{ readonly url: string }> {
  const settings = readSettings(environment)
  if (!settings.workers && !isShared(settings.store)) throw unsharedStoreError('SYNC_WORKERS=false')
  let listening = ''
  await run(host, settings, {
    limits: settings.workers ? {} : { jobConcurrency: 0 },
    async begin(server, opened) {
      const { url } = opened.keep(await listen(server, settings))
      listening = url
      return { line: `godwit listening on ${url}\n`, page: isDemo(settings) ? url : undefined }
    },
  })
  return { url: listening }
}

/** Runs the jobs of servers until a signal stops it, and serves health checks only. Resolves when it is ready. */
export async function work(host: ProcessHost): Promise<void> {
  const settings = readSettings(host.env)
  if (!isShared(settings.store)) throw unsharedStoreError('godwit worker')
  await run(host, settings, {
    // A worker has no load balancer that must notice first.
    limits: { stopDelay: 0 },
    async begin(server, opened) {
      const { workerPort: port, host } = settings
      const address = port === undefined ? undefined : { port, host }
      const { url } = opened.keep(
        await namingVariable(server.work(address), { variable: 'SYNC_WORKER_PORT', ...address }),
      )
      return { line: url === undefined ? 'godwit worker is ready\n' : `godwit worker is ready on ${url}\n` }
    },
  })
}

interface ReadyMessage {
  /** The only output on standard output. */
  readonly line: string
  /** The address of the demo page, for people. */
  readonly page?: string | undefined
}

interface ProcessRole {
  /** Overrides the limits of the configuration. */
  readonly limits: Partial<Limits>
  readonly begin: (server: SyncServer, opened: OpenResources) => Promise<ReadyMessage>
}

async function run(host: ProcessHost, settings: Settings, { limits: ofRole, begin }: ProcessRole): Promise<void> {
  const log = openLog(settings.logLevel, host.stderr)
  const opened = new OpenResources()
  const survival = surviveStrayErrors(host, { log, close: () => opened.close(), configPath: settings.configPath })
  try {
    const lock = lockStore(settings.store)
    if (lock) opened.keep(lock)
    const store = opened.keep(await openStore(settings.store, settings))
    const config = { ...(await configOf(settings, opened)), ...(await demoSignIn(settings, opened)) }
    if (settings.durability === 'normal' && sqlitePath(settings.store) !== undefined) log.info({}, NORMAL_DURABILITY)
    if (config.sources.length === 0 && !config.dynamicSources) log.warn({}, noSources(settings))
    const logUnavailable = ({ message }: Error) =>
      log.warn({ error: message }, 'the store is not available: trying again')
    const first = await retryUntilReady(() => firstStart(store, settings, config), logUnavailable)
    const limits = { stopWait: STOP_WAIT, ...limitsOf(settings, config), ...stopDelays(settings, config), ...ofRole }
    if (!settings.development && (limits.passwordCost ?? DEFAULT_COST) < DEFAULT_COST) log.warn({}, LOW_COST)
    const pushProviders = await pushProvidersOf(settings, config, opened)
    const pages = builtPages({ hasDemo: isDemo(settings) })
    if (pages.length === 0) log.warn({}, 'the console is not built')
    const given = { pages, ...config, ...first.options, ...fromEnvironment(settings), pushProviders, limits, log }
    const server = createSyncServer({ store, jobs: store.jobs, ...given })
    host.stderr.write(first.password)
    const { line, page } = await retryUntilReady(() => begin(server, opened), logUnavailable)
    const patience = (limits.stopWait + 1) * 1000
    const stop = stopOnSignal(host, { close: () => opened.close(), log, patience })
    survival.serve(server, stop)
    const finding = retryUntilReady(() => first.demoLogins(), logUnavailable)
    // A store closed by a signal is not a failure of the start.
    const logins = await finding.catch(error => (stop.isUnderWay() ? [] : Promise.reject(error)))
    if (settings.development) host.stderr.write(demoLine(logins))
    else if (logins.length > 0) log.warn({ logins }, DEMO_LOGINS_LEFT)
    if (stop.isUnderWay()) return
    void logIntegrity(store, log)
    host.stdout.write(line)
    if (page !== undefined && pages.length > 0) host.stderr.write(`open ${page}\n`)
  } catch (error) {
    await opened.close()
    throw error
  }
}

const NORMAL_DURABILITY =
  'SYNC_DURABILITY=normal: acknowledged writes survive a crash of the process, not a power failure'

const noSources = ({ configPath }: Settings): string =>
  configPath === undefined
    ? 'No sources are configured: set SYNC_CONFIG'
    : `No sources are configured: ${configPath} has none. Add one to its sources`

const DEMO_LOGINS_LEFT =
  'demo logins from a start in development still work in this store, with the login as password; remove them with godwit users delete'

const DEFAULT_COST = DEFAULT_LIMITS.passwordCost
const LOW_COST = `new password hashes are easy to guess: set SYNC_PASSWORD_COST or limits.passwordCost to ${DEFAULT_COST} or more`

const unsharedStoreError = (what: string): SyncError =>
  new SyncError(
    'value_not_allowed',
    `SYNC_STORE: ${what} expects a redis: store, which processes share. Jobs of memory: and sqlite: are worked on by their one server alone.`,
  )

/** Seconds for requests in progress, so that the rest is closed within a supervisor's usual ten. */
const STOP_WAIT = 8

/** Returns the limits of the configuration file, with the environment's cost of password hashes. */
export const limitsOf = ({ passwordCost }: Settings, { limits }: Config): Partial<Limits> => ({
  ...limits,
  ...(passwordCost !== undefined && { passwordCost }),
})

/** The environment's delay is added to the time for requests in progress. */
const stopDelays = (
  { stopDelay }: Settings,
  { limits: { stopWait = STOP_WAIT, stopDelay: given = 0 } = {} }: Config,
) => (stopDelay === undefined ? {} : { stopDelay, stopWait: Math.max(0, stopWait - given) + stopDelay })

/** Returns the configuration, or the demo's. */
export async function configOf(
  { configPath, demo, demoVisits: hasVisits, development, store }: Settings,
  opened: OpenResources,
): Promise<Config> {
  if (configPath !== undefined) return loadConfig(configPath, { development })
  if (!development) return { sources: [] }
  if (demo === undefined) return opened.keep(openDemo(sqlitePath(store), { hasVisits }))
  const { openSqlDemo } = await import('./demo/sql-demo.js')
  return opened.keep(await openSqlDemo(demo, { hasVisits }))
}

/** Starts the identity provider of the demo, if the environment wants one. */
async function demoSignIn(
  { demoProvider: port, host }: Settings,
  opened: OpenResources,
): Promise<Pick<Config, 'auth'>> {
  if (port === undefined) return {}
  const { openDemoProvider } = await import('./demo/provider/demo-provider.js')
  // The issuer is an address of this machine; in a container, its published port.
  const own = /^(0\.0\.0\.0|::)$/.test(host) ? host : '127.0.0.1'
  const opening = openDemoProvider({ port, host: own, clock: Date.now })
  const { auth } = opened.keep(await namingVariable(opening, { variable: 'SYNC_DEMO_PROVIDER', port, host: own }))
  return { auth }
}

/** Returns the providers of the environment, else of the configuration file; each name once. */
async function pushProvidersOf({ push }: Settings, config: Config, opened: OpenResources): Promise<PushProviders> {
  const providers = await openPushProviders({ ...config.push, ...push })
  for (const provider of Object.values(providers)) if (isClosable(provider)) opened.keep(provider)
  return { ...config.pushProviders, ...providers }
}

const isClosable = (provider: object): provider is { close(): void } => 'close' in provider

/** Options from the environment, which override the configuration file. */
const fromEnvironment = ({
  allowPrivateBackends,
  allowReset,
  auth,
  logRequests,
  metricsToken,
  origins,
  pushFallback,
  trustProxy,
}: Settings) => ({
  allowPrivateBackends,
  resetAllowed: allowReset,
  logRequests,
  ...(auth !== undefined && { auth }),
  ...(metricsToken !== undefined && { metricsToken }),
  ...(origins !== undefined && { origins }),
  ...(pushFallback !== undefined && { pushFallback }),
  ...(trustProxy !== undefined && { trustProxy }),
})

const listen = (server: SyncServer, { port, host }: Settings) =>
  namingVariable(server.listen({ port, host }), { variable: 'PORT', port, host })

interface ListenTarget {
  readonly variable: string
  readonly port?: number
  readonly host?: string
}

/** Rethrows a listen error as one that names the environment variable. */
async function namingVariable<Listening>(listening: Promise<Listening>, where: ListenTarget): Promise<Listening> {
  try {
    return await listening
  } catch (cause) {
    if (isSyncError(cause)) throw cause
    throw new SyncError('value_not_allowed', listenProblem(cause as NodeJS.ErrnoException, where), { cause })
  }
}

function listenProblem({ code, message }: NodeJS.ErrnoException, { variable, port, host }: ListenTarget): string {
  if (code === 'EADDRINUSE')
    return `${variable}: ${port} is in use on ${host}. Stop the process that listens there, or set ${variable} to another port (0 selects a free one).`
  if (code === 'EACCES') return `${variable}: this user may not use port ${port}. Set ${variable} to a port above 1023.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `HOST: ${host} is not an address of this machine.`
  return `cannot listen on ${host}:${port}: ${message}`
}

/** Checks the integrity of the store after the start and logs the result; only SQLite supports it. */
async function logIntegrity({ checkIntegrity }: Pick<OpenStore, 'checkIntegrity'>, log: Log): Promise<void> {
  try {
    const found = await checkIntegrity?.()
    if (found === undefined) return
    const { intact, problems, milliseconds } = found
    if (intact) log.info({ milliseconds }, 'the integrity check of the store passed')
    else
      log.error(
        { problems, milliseconds },
        'the store is damaged: stop the server, keep the file, and restore a backup (godwit restore)',
      )
  } catch (error) {
    log.warn({ error: messageOf(error) }, 'could not check the integrity of the store')
  }
}
