import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { databasePlace, endDatabase, launchDatabase } from './database-process.js'
import { findProgram } from './find-program.js'
import { freePort } from './free-port.js'

export interface RunningMariaDb {
  /** For the user `root`, without a password: `mysql://root@127.0.0.1:3307/test`. */
  readonly url: string
  /** Ends it and removes its folder. */
  stop(): Promise<void>
}

/** Debian has the server where only root finds it. */
const folders = (): readonly string[] => ['/usr/sbin']
const FLAGS = ['--no-defaults', '--bind-address=127.0.0.1', '--skip-log-bin', '--innodb-flush-log-at-trx-commit=0']

let program: string | undefined | null = null

/** Returns whether tests can start MariaDB servers, by the program that `TEST_MARIADB` names or one that is found; warns if not. */
export function mariaDbIsThere(): boolean {
  if (program === null)
    program = process.env['TEST_MARIADB'] || findProgram({ names: ['mariadbd'], debian: 'mariadb-server', folders })
  return program !== undefined
}

/** Starts a MariaDB server with the empty database `test` on loopback, which loses its data with its machine. */
export async function startMariaDb(): Promise<RunningMariaDb> {
  if (!mariaDbIsThere()) throw new Error('There is no mariadbd on the PATH.')
  const place = databasePlace('mariadb')
  const [data, socket] = [join(place.cwd, 'data'), join(place.cwd, 'socket')]
  const options = [
    '--no-defaults',
    `--datadir=${data}`,
    '--auth-root-authentication-method=normal',
    '--skip-name-resolve',
  ]
  execFileSync('mariadb-install-db', options, { ...place, stdio: ['ignore', 'ignore', 'inherit'] })
  const port = await freePort()
  const child = await launchDatabase({
    path: program ?? '',
    parameters: [...FLAGS, `--datadir=${data}`, `--socket=${socket}`, `--port=${port}`],
    place,
    ready: 'ready for connections',
    signal: 'SIGKILL',
  })
  return {
    url: `mysql://root@127.0.0.1:${port}/test`,
    async stop() {
      await endDatabase(child, 'SIGKILL')
      rmSync(place.cwd, { recursive: true, force: true })
    },
  }
}
