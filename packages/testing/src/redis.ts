import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { findProgram } from './find-program.js'
import { freePort } from './free-port.js'

export interface RunningRedis {
  readonly url: string
  readonly port: number
  /** The process id, for tests that kill or pause it. */
  readonly pid: number
  /** Ends it, if it still runs, and removes its folder. */
  stop(): Promise<void>
}

const PROGRAM = { names: ['redis-server', 'valkey-server'], debian: 'redis-server' } as const
const ATTEMPTS = 5

/** The address of the Redis that the environment names, if it does. Tests share it, each under another key prefix. */
export const redisUrl = (): string | undefined => process.env['TEST_REDIS_URL'] || undefined

let program: string | undefined | null = null

/** Returns whether tests can start Redis servers, by the program that `TEST_REDIS_SERVER` names or one that is found; warns if not. */
export function redisIsThere(): boolean {
  if (program === null) program = process.env['TEST_REDIS_SERVER'] || findProgram(PROGRAM)
  return program !== undefined
}

type Settings = Readonly<Record<string, string>>

/** Starts a Redis server on loopback, without persistence unless settings say otherwise: `{ appendonly: 'yes' }`. Its replicas do not wait for others. */
export const startRedis = (settings: Settings = {}): Promise<RunningRedis> =>
  launch({ save: '', 'repl-diskless-sync-delay': '0', ...settings })

/** Starts a sentinel that alone decides to promote a replica. It knows the primary as `main`. */
export function startRedisSentinel(
  { port }: Pick<RunningRedis, 'port'>,
  settings: Settings = {},
): Promise<RunningRedis> {
  const lines = [`monitor main 127.0.0.1 ${port} 1`, 'down-after-milliseconds main 500', 'failover-timeout main 3000']
  return launch(settings, lines.map(line => `sentinel ${line}\n`).join(''))
}

async function launch(settings: Settings, sentinel?: string): Promise<RunningRedis> {
  if (!redisIsThere()) throw new Error('There is no redis-server on the PATH.')
  const folder = mkdtempSync(join(tmpdir(), 'godwit-redis-'))
  for (let attempt = 1; ; attempt++) {
    const port = Number(settings['port'] ?? (await freePort()))
    const started = await tryStart(folder, { ...settings, port: `${port}` }, sentinel)
    if (started) return running(started, { folder, port })
    if (attempt === ATTEMPTS) throw new Error(`redis-server did not start in ${ATTEMPTS} attempts.`)
  }
}

/** Resolves to undefined when the process ended at once, most likely because the port was taken. */
async function tryStart(folder: string, settings: Settings, sentinel?: string): Promise<ChildProcess | undefined> {
  const all = Object.entries({ bind: '127.0.0.1', dir: folder, ...settings })
  const flags = all.flatMap(([name, value]) => [`--${name}`, value])
  if (sentinel !== undefined) {
    const file = join(folder, 'sentinel.conf')
    writeFileSync(file, sentinel)
    flags.unshift(file, '--sentinel')
  }
  const child = spawn(program ?? '', flags, { stdio: ['ignore', 'pipe', 'inherit'] })
  const end = () => void child.kill('SIGKILL')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  for await (const line of createInterface({ input: child.stdout })) {
    if (!/Ready to accept connections|\+monitor/.test(line)) continue
    child.stdout.resume()
    return child
  }
  return undefined
}

function running(
  child: ChildProcess,
  { folder, port }: { readonly folder: string; readonly port: number },
): RunningRedis {
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    pid: child.pid ?? 0,
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit')
        child.kill('SIGKILL')
        await ended
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
