import { isSyncError, SyncError } from '@godwit/protocol'
import { createSyncServer, type SyncServer } from '@godwit/server'
import { type Environment, readSettings, type Settings } from './config.js'
import { openDemo } from './demo/demo.js'
import { firstStart } from './first-start.js'
import { type Config, loadConfig } from './load-config.js'
import { type LogOutput, openLog } from './log.js'
import { openStore, sqlitePath } from './open-store.js'
import { type Signals, stopOnSignal } from './stop.js'

/** What the command sees of its process; `process` fits. */
export interface Host extends Signals {
  readonly env: Environment
  readonly stdout: { write(text: string): unknown }
  readonly stderr: LogOutput
}

/** What is open, to be closed in the opposite order. */
class Opened {
  readonly #closers: (() => void | Promise<void>)[] = []

  keep<T extends { close(): void | Promise<void> }>(thing: T): T {
    this.#closers.push(() => thing.close())
    return thing
  }

  async close(): Promise<void> {
    for (let close = this.#closers.pop(); close; close = this.#closers.pop()) await close()
  }
}

/** Runs the server until a signal stops it. Resolves when it listens. */
export async function start(host: Host): Promise<void> {
  const settings = readSettings(host.env)
  const log = openLog(settings.logLevel, host.stderr)
  const opened = new Opened()
  try {
    const store = opened.keep(await openStore(settings.store))
    const config = await configOf(settings, opened)
    if (config.sources.length === 0) log.warn({}, 'No sources are configured: set SYNC_CONFIG')
    const first = await firstStart(store, settings)
    const limits = { stopWait: STOP_WAIT, ...config.limits }
    const given = { ...config, ...first.options, ...fromEnvironment(settings), limits, log }
    const server = createSyncServer({ store, jobs: store.jobs, ...given })
    const { url } = opened.keep(await listen(server, settings))
    host.stderr.write(await first.shown())
    stopOnSignal(host, { close: () => opened.close(), log })
    host.stdout.write(`godwit listening on ${url}\n`)
  } catch (error) {
    await opened.close()
    throw error
  }
}

/** Seconds for answers under way, so that the rest is closed before a supervisor's usual ten. */
const STOP_WAIT = 8

async function configOf({ configPath, development, store }: Settings, opened: Opened): Promise<Config> {
  if (configPath !== undefined) return loadConfig(configPath, { development })
  return development ? opened.keep(openDemo(sqlitePath(store))) : { sources: [] }
}

/** What the environment decides stands above the configuration file. */
const fromEnvironment = ({ allowPrivateBackends, allowReset, metricsToken, trustProxy }: Settings) => ({
  allowPrivateBackends,
  resetAllowed: allowReset,
  ...(metricsToken !== undefined && { metricsToken }),
  ...(trustProxy !== undefined && { trustProxy }),
})

type Listening = Awaited<ReturnType<SyncServer['listen']>>

async function listen(server: SyncServer, { port, host }: Settings): Promise<Listening> {
  try {
    return await server.listen({ port, host })
  } catch (cause) {
    if (isSyncError(cause)) throw cause
    throw new SyncError('value_not_allowed', listenProblem(cause as NodeJS.ErrnoException, port, host), { cause })
  }
}

function listenProblem({ code, message }: NodeJS.ErrnoException, port: number, host: string): string {
  if (code === 'EADDRINUSE')
    return `PORT: ${port} is in use on ${host}. Stop what listens there, or set PORT to another (0 takes a free one).`
  if (code === 'EACCES') return `PORT: ${port} may not be used by this user. Set PORT to one above 1023.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `HOST: ${host} is no address of this machine.`
  return `cannot listen on ${host}:${port}: ${message}`
}
