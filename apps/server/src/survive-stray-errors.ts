import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isJsonObject } from '@godwit/protocol'
import type { SyncServer } from '@godwit/server'
import type { OrderlyStop, Signals, StopOptions } from './stop.js'
import { type Dependencies, describeStrayError } from './stray-error.js'

/** The code of a process that ends to be started again. */
const RESTART = 1

interface SurvivalOptions extends Pick<StopOptions, 'close' | 'log'> {
  /** The configuration file, whose `package.json` names the packages of the app. Undefined: none. */
  readonly configPath: string | undefined
}

/** What is done about stray errors once a server runs. */
export interface Survival {
  /** Counts them in this server from now on, and stops it in order where one calls for a restart. */
  serve(server: Pick<SyncServer, 'recordStrayError'>, stop: OrderlyStop): void
}

/**
 * Logs errors that no call caught, like the `error` event of an idle connection of a source, instead of letting them end the process. Where Godwit's
 * own state may be wrong, it ends in order with 1, so that a supervisor starts it again.
 */
export function surviveStrayErrors(signals: Signals, { log, close, configPath }: SurvivalOptions): Survival {
  const dependencies = configPath === undefined ? new Set<string>() : dependenciesNear(dirname(resolve(configPath)))
  const end = (): void => void close().finally(() => signals.exit(RESTART))
  let [record, restart]: [SyncServer['recordStrayError'], () => void] = [() => {}, end]
  signals.on('uncaughtException', (error, origin) => {
    const { module, message, advice, isOwn } = describeStrayError(error, origin, dependencies)
    const outcome = isOwn ? 'the server exits so that it can be restarted' : 'the server continues'
    log.error({ module, error: message, advice }, `an error outside of any call: ${outcome}`)
    record({ module, message })
    if (isOwn) restart()
  })
  return {
    serve(server, stop) {
      record = server.recordStrayError
      restart = () => stop.begin(RESTART)
    },
  }
}

/** The dependencies in the nearest `package.json`, none if it cannot be read. */
function dependenciesNear(folder: string): Dependencies {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) return dirname(folder) === folder ? new Set() : dependenciesNear(dirname(folder))
  try {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(file, 'utf8')) as {
      readonly [name: string]: unknown
    }
    return new Set([dependencies, devDependencies].flatMap(named => (isJsonObject(named) ? Object.keys(named) : [])))
  } catch {
    return new Set()
  }
}
