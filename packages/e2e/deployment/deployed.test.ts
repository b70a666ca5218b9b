import { execFileSync, type SpawnOptions, spawn } from 'node:child_process'
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AdminClient } from '@godwit/admin-client'
import { freePort, redisIsThere } from '@godwit/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { inRepository } from '../harness/process.js'
import { readServices } from './compose.js'
import { dockerfile, readImage } from './image.js'

/** Who runs the server, where the tests may choose: nobody, who owns nothing. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
const GIVEN = { SYNC_ADMIN_PASSWORD: 'a long one of words', REDIS_PASSWORD: '5f0e6a' }

const image = readImage(dockerfile)
const root = mkdtempSync(join(tmpdir(), 'godwit-deployed-'))
const app = join(root, 'app')
const running: Running[] = []

/** The last command of the stage that builds, into a folder of ours: what it leaves there is all that the image has. */
beforeAll(() => {
  chmodSync(root, 0o755)
  const deploy = image.builds.at(-1) ?? ''
  expect(deploy).toMatch(/ \/app$/)
  execFileSync('sh', ['-c', deploy.replace(/\/app$/, app)], { cwd: inRepository('.'), stdio: 'pipe' })
  cpSync(inRepository('apps/server/config'), join(root, 'config'), { recursive: true })
  execFileSync('chmod', ['-R', 'a-w,a+rX', app, join(root, 'config')])
}, 180_000)
afterAll(() => {
  execFileSync('chmod', ['-R', 'u+w', root])
  rmSync(root, { recursive: true })
})

let data: string
beforeEach(() => {
  data = mkdtempSync(join(root, 'data-'))
  if (NOBODY.uid !== undefined) chownSync(data, NOBODY.uid, NOBODY.gid)
})
afterEach(async () => {
  await Promise.all(running.splice(0).map(one => one.end('SIGKILL')))
})

/** A path of the container, in the folder of these tests. */
const here = (text: string): string =>
  text
    .replace(/\/data\b/, data)
    .replace(/^\/config\b/, join(root, 'config'))
    .replace(/^\/app\b/, app)

/** What the container's process is given: of the image, of its service, and a port of its own, as all share one machine. */
function environmentOf(service: string, port: number, given: { readonly [name: string]: string } = {}) {
  const { environment = {} } = readServices(GIVEN)[service] ?? {}
  const all = Object.entries({ ...image.environment, ...environment, HOST: '127.0.0.1', PORT: `${port}`, ...given })
  return { PATH: process.env['PATH'] ?? '', ...Object.fromEntries(all.map(([name, value]) => [name, here(value)])) }
}

interface Running {
  line(pattern: RegExp): Promise<RegExpMatchArray>
  readonly ended: Promise<number | null>
  end(signal: NodeJS.Signals): Promise<number | null>
}

function run(program: string, words: readonly string[], options: SpawnOptions): Running {
  const child = spawn(program, words, { cwd: data, ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const heard = (text: Buffer) => {
    output += text
  }
  child.stdout?.on('data', heard)
  child.stderr?.on('data', heard)
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  const line = (pattern: RegExp) =>
    new Promise<RegExpMatchArray>((resolve, reject) => {
      const look = () => {
        const found = output.match(pattern)
        if (found) resolve(found)
      }
      child.stdout?.on('data', look)
      void ended.then(code => reject(new Error(`${program} ended with ${code}: ${output}`)))
      look()
    })
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return ended
  }
  const started = { line, ended, end }
  running.push(started)
  return started
}

/** `godwit` is a link to the program, which is run by node. */
const program = join(app, 'dist/godwit.js')

const runGodwit = (env: NodeJS.ProcessEnv, words: readonly string[] = image.command) =>
  run(process.execPath, [program, ...words], { env, ...NOBODY })

async function serve(service: string, given?: { readonly [name: string]: string }) {
  const env = environmentOf(service, await freePort(), given)
  const server = runGodwit(env)
  const [, url = ''] = await server.line(/^godwit listening on (\S+)$/m)
  const admin = await AdminClient.login({ url, login: 'admin', password: GIVEN.SYNC_ADMIN_PASSWORD })
  return { env, server, url, admin }
}

async function isHealthy(env: NodeJS.ProcessEnv): Promise<boolean> {
  const [name = '', ...words] = image.healthcheck
  expect(name).toBe('node')
  return (await run(process.execPath, words, { env, ...NOBODY }).ended) === 0
}

describe('the folder of the image', () => {
  test('has what the server needs, and nothing that only builds or tests it', () => {
    const modules = readdirSync(join(app, 'node_modules/.pnpm')).map(name => name.replace(/(?<=.)@.*$/, ''))
    expect(modules).toEqual(expect.arrayContaining(['better-sqlite3', 'express', 'redis', '@godwit+server']))
    for (const tool of ['typescript', 'tsup', 'esbuild', 'jest', '@biomejs+biome', 'playwright-core', 'node'])
      expect(modules).not.toContain(tool)
    expect(existsSync(join(app, 'src'))).toBe(false)
  })
})

describe('one container on SQLite', () => {
  test('is healthy, serves, writes to its volume alone, and ends with 0 at SIGTERM', async () => {
    const { env, server, admin } = await serve('single')
    expect(await isHealthy(env)).toBe(true)
    await admin.users.create({ login: 'edsger', password: 'a long one of his' })
    expect(await admin.push.objects('City', 'edsger', { Amman: { name: 'Amman' } })).toMatchObject({ version: 1 })
    expect(readdirSync(data)).toContain('godwit.sqlite')
    expect(await server.end('SIGTERM')).toBe(0)
    expect(await isHealthy(env)).toBe(false)
  }, 60_000)

  test('keeps its data from one container to the next', async () => {
    const first = await serve('single')
    await first.admin.users.create({ login: 'edsger', password: 'a long one of his' })
    await first.server.end('SIGTERM')
    const second = await serve('single')
    expect(await second.admin.users.list()).toContain('edsger')
  }, 60_000)

  test('does not start without a password that can be kept', async () => {
    const server = runGodwit(environmentOf('single', await freePort(), { SYNC_ADMIN_PASSWORD: 'admin' }))
    await expect(server.line(/listening/)).rejects.toThrow(/SYNC_ADMIN_PASSWORD: expected at least 12 characters/)
  }, 60_000)
})

if (!redisIsThere()) test.skip('several containers need a redis-server', () => undefined)
else
  describe('several containers on Redis', () => {
    /** The very command of its container, but for where it listens and keeps its files. */
    async function startRedis(password: string) {
      const { command = [] } = readServices({ ...GIVEN, REDIS_PASSWORD: password })['redis'] ?? {}
      const port = await freePort()
      const [shell = '', ...words] = command.map(word =>
        word.replace('dir /data', `dir ${data}\nport ${port}\nbind 127.0.0.1`),
      )
      const env = { PATH: process.env['PATH'], REDIS_PASSWORD: password }
      const redis = run(shell, words, { env, ...NOBODY })
      await redis.line(/Ready to accept connections/)
      return { SYNC_STORE: `redis://:${password}@127.0.0.1:${port}` }
    }

    test('are one server, and outlive each other', async () => {
      expect(readServices(GIVEN)['server']?.environment?.['SYNC_STORE']).toBe('redis://:5f0e6a@redis:6379')
      const store = await startRedis(GIVEN.REDIS_PASSWORD)
      const [one, other] = await Promise.all([serve('server', store), serve('server', store)])
      await one.admin.users.create({ login: 'edsger', password: 'a long one of his' })
      await one.admin.push.objects('City', 'edsger', { Amman: { name: 'Amman' } })
      expect(await one.server.end('SIGTERM')).toBe(0)
      expect(await isHealthy(one.env)).toBe(false)
      expect(await isHealthy(other.env)).toBe(true)
      expect(await other.admin.users.list()).toContain('edsger')
      expect(await other.admin.push.objects('City', 'edsger', { Bern: { name: 'Bern' } })).toMatchObject({ version: 2 })
    }, 90_000)

    test('are refused by a Redis whose password they do not have', async () => {
      const { SYNC_STORE } = await startRedis(GIVEN.REDIS_PASSWORD)
      const wrong = runGodwit(
        environmentOf('server', await freePort(), { SYNC_STORE: SYNC_STORE.replace('5f0e6a', 'x') }),
      )
      await expect(wrong.line(/listening/)).rejects.toThrow(/SYNC_STORE: .*(password|WRONGPASS|login)/i)
    }, 60_000)

    test('have no Redis without a password', async () => {
      await expect(startRedis('')).rejects.toThrow(/REDIS_PASSWORD: expected a password, got none/)
    })
  })
