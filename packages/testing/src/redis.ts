import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { findProgram } from './find-program.js'
import { freePort } from './free-port.js'

export interface RunningRedis {
  readonly url: string
  readonly port: number
  /** Of its own process, to be killed or paused by a test. */
  readonly pid: number
  /** Ends it, if it still runs, and removes its folder. */
  stop(): Promise<void>
}

const PROGRAM = { names: ['redis-server', 'valkey-server'], debian: 'redis-server' } as const
const ATTEMPTS = 5

/** The Redis that the environment names, if it does. Tests share it: each under a key prefix of its own. */
export const redisUrl = (): string | undefined => process.env['TEST_REDIS_URL'] || undefined

let program: string | undefined | null = null

/** Whether tests can start Redis servers of their own; says so loudly if not. */
export function redisIsThere(): boolean {
  if (program === null) program = findProgram(PROGRAM)
  return program !== undefined
}

/** A server of its own on loopback, without persistence unless settings say else: `{ appendonly: 'yes' }`. */
export async function startRedis(settings: Readonly<Record<string, string>> = {}): Promise<RunningRedis> {
  if (!redisIsThere()) throw new Error('There is no redis-server on the PATH.')
  const folder = mkdtempSync(join(tmpdir(), 'godwit-redis-'))
  for (let attempt = 1; ; attempt++) {
    const port = Number(settings['port'] ?? (await freePort()))
    const started = await tryStart(folder, { save: '', ...settings, port: `${port}` })
    if (started) return running(started, { folder, port })
    if (attempt === ATTEMPTS) throw new Error(`redis-server did not start in ${ATTEMPTS} attempts.`)
  }
}

/** Undefined: it ended at once, most likely because somebody else took the port. */
async function tryStart(folder: string, settings: Readonly<Record<string, string>>): Promise<ChildProcess | undefined> {
  const flags = Object.entries({ bind: '127.0.0.1', dir: folder, ...settings }).flatMap(([name, value]) => [
    `--${name}`,
    value,
  ])
  const child = spawn(program ?? '', flags, { stdio: ['ignore', 'pipe', 'inherit'] })
  const end = () => void child.kill('SIGKILL')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  for await (const line of createInterface({ input: child.stdout })) {
    if (!/Ready to accept connections/.test(line)) continue
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
