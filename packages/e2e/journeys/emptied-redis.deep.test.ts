import { spawnSync } from 'node:child_process'
import { AdminClient } from '@godwit/admin-client'
import { askRedis, redisIsThere, startRedis, until } from '@godwit/testing'
import { afterEach, expect, test } from '@jest/globals'
import { commandLineDevice } from '../harness/device-process.js'
import { folderPerTest } from '../harness/folder-per-test.js'
import { endAll, inRepository } from '../harness/process.js'
import { ADMIN_PASSWORD, startServer } from '../harness/server-process.js'

const folder = folderPerTest()
afterEach(endAll)

/** Runs an operator's command with the server's environment. */
function godwit(store: string, ...words: readonly string[]) {
  const env = { ...process.env, NODE_ENV: '', SYNC_STORE: store, SYNC_ADMIN_PASSWORD: ADMIN_PASSWORD }
  return spawnSync(process.execPath, [inRepository('apps/server/dist/godwit.js'), ...words], { env, encoding: 'utf8' })
}

const there = redisIsThere() ? test : test.skip

there(
  'a server whose Redis lost its data says so, and continues once the operator confirms',
  async () => {
    const redis = await startRedis()
    try {
      const server = await startServer({
        store: redis.url,
        config: 'pushed-cities.mjs',
        environment: { SYNC_LOG_LEVEL: 'info' },
      })
      const ready = async () => {
        const answer = await fetch(`${server.url}/readyz`)
        return `${answer.status} ${await answer.text()}`
      }
      const logged = (text: RegExp) => until(() => text.test(server.output().error))
      const doctor = () => godwit(redis.url, 'doctor', '--url', server.url).stdout
      const device = commandLineDevice(folder.path, server.url)
      expect((await device.run('login', 'ada', 'ada')).code).toBe(0)
      expect((await device.run('sync')).code).toBe(0)
      await logged(/loses all data when Redis restarts.*appendonly yes/)
      expect(await ready()).toMatch(/^200 .*loses all data when Redis restarts.*appendonly yes/)
      expect(doctor()).toMatch(/persistence: Redis loses its data on restart.*appendonly yes/)

      await askRedis(redis, 'FLUSHALL')
      expect(await ready()).toMatch(/^503 .*came back empty.*godwit begin/)
      await logged(/came back empty.*godwit begin/)
      expect(doctor()).toMatch(/PROBLEM +server: .*came back empty.*godwit begin/)

      const begun = godwit(redis.url, 'begin')
      expect([begun.status, begun.stdout]).toEqual([0, 'The store is set up again.\n'])
      expect(await ready()).toMatch(/^200 /)
      await logged(/the store has its data again/)
      expect(godwit(redis.url, 'begin').stdout).toMatch(/[Nn]othing was changed/)
      const { token } = await AdminClient.login({ url: server.url, login: 'admin', password: ADMIN_PASSWORD })
      const admin = new AdminClient({ url: server.url, token })
      expect(await admin.users.list()).toEqual(['ada', 'grace', 'linus'])
      expect((await device.run('login', 'ada', 'ada')).code).toBe(0)
      expect((await device.run('sync')).code).toBe(0)
    } finally {
      await redis.stop()
    }
  },
  300_000,
)
