import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { findProgram } from './find-program.js'
import { freePort } from './free-port.js'

export interface RunningPostgres {
  /** For the superuser `postgres`, without a password: `postgres://postgres@127.0.0.1:5433/postgres`. */
  readonly url: string
  /** Ends every connection as an operator's restart does, and starts on the same port. Resolves when it accepts connections. */
  restart(): Promise<void>
  /** Ends it and removes its folder. */
  stop(): Promise<void>
}

/** Where Debian has the programs of each version, which are not on the PATH. */
const DEBIAN = '/usr/lib/postgresql'
/** PostgreSQL refuses to run as root: it then runs as the unprivileged user that every Linux has. */
const UNPRIVILEGED = 65_534
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

/** Starts a PostgreSQL server with an empty database on loopback, which loses its data with its machine. */
export async function startPostgres(): Promise<RunningPostgres> {
  if (!postgresIsThere()) throw new Error('There is no postgres on the PATH.')
  const folder = mkdtempSync(join(tmpdir(), 'godwit-postgres-'))
  const user = process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {}
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid)
  const settings = { ...user, cwd: folder }
  const data = join(folder, 'data')
  const initdb = join(dirname(program ?? ''), 'initdb')
  execFileSync(initdb, ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'], {
    ...settings,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const port = await freePort()
  const launch = (): Promise<ChildProcess> =>
    untilReady(spawn(program ?? '', ['-D', data, '-p', `${port}`, ...FLAGS], { ...settings, stdio: 'pipe' }))
  let child = await launch()
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async restart() {
      await end(child, 'SIGINT')
      child = await launch()
    },
    async stop() {
      await end(child, 'SIGQUIT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function untilReady(child: ChildProcess & { readonly stderr: NodeJS.ReadableStream }): Promise<ChildProcess> {
  const kill = () => void child.kill('SIGQUIT')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  let lines = ''
  for await (const line of createInterface({ input: child.stderr })) {
    lines += `${line}\n`
    if (!line.includes('ready to accept connections')) continue
    child.stderr.resume()
    return child
  }
  throw new Error(`postgres did not start: ${lines}`)
}

async function end(child: ChildProcess, signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}
