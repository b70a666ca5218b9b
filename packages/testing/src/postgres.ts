import { execFileSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { databasePlace, endDatabase, launchDatabase } from './database-process.js'
import { findProgram } from './find-program.js'
import { freePort } from './free-port.js'

export interface RunningPostgres {
  /** For the superuser `postgres`, without a password: `postgres://postgres@127.0.0.1:5433/postgres`. */
  readonly url: string
  /** Ends every connection as an operator's restart does, and starts on the same port. Resolves when it accepts connections. */
  restart(): Promise<void>
  /** Ends it as a crash does, which loses what no commit has flushed, and starts on the same port. Resolves when it accepts connections. */
  crash(): Promise<void>
  /** Ends it and removes its folder. */
  stop(): Promise<void>
}

/** Where Debian has the programs of each version, which are not on the PATH. */
const DEBIAN = '/usr/lib/postgresql'
const FLAGS = ['-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off', '-c', 'unix_socket_directories=']

const folders = (): readonly string[] => {
  try {
    return readdirSync(DEBIAN).map(version => join(DEBIAN, version, 'bin'))
  } catch {
    return []
  }
}

let program: string | undefined | null = null

/** Returns whether tests can start PostgreSQL servers, by the program that `TEST_POSTGRES` names or one that is found; warns if not. */
export function postgresIsThere(): boolean {
  if (program === null)
    program = process.env['TEST_POSTGRES'] || findProgram({ names: ['postgres'], debian: 'postgresql', folders })
  return program !== undefined
}

/** Starts a PostgreSQL server with an empty database on loopback, which loses its data with its machine. Settings are `name=value`. */
export async function startPostgres(settings: readonly string[] = []): Promise<RunningPostgres> {
  if (!postgresIsThere()) throw new Error('There is no postgres on the PATH.')
  const place = databasePlace('postgres')
  const path = program ?? ''
  const data = join(place.cwd, 'data')
  const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  execFileSync(join(dirname(path), 'initdb'), ['-D', data, ...options], {
    ...place,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const port = await freePort()
  const parameters = ['-D', data, '-p', `${port}`, ...FLAGS, ...settings.flatMap(setting => ['-c', setting])]
  const server = { path, parameters, place, ready: 'ready to accept connections', signal: 'SIGQUIT' } as const
  let child = await launchDatabase(server)
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async restart() {
      await endDatabase(child, 'SIGINT')
      child = await launchDatabase(server)
    },
    async crash() {
      await endDatabase(child, 'SIGQUIT')
      child = await launchDatabase(server)
    },
    async stop() {
      await endDatabase(child, server.signal)
      rmSync(place.cwd, { recursive: true, force: true })
    },
  }
}
