import { join } from 'node:path'
import { AdminClient } from '@godwit/admin-client'
import { describe, expect, test } from '@jest/globals'
import { folderPerTest } from '../harness/folder-per-test.js'
import { inRepository, start } from '../harness/process.js'
import { ADMIN_PASSWORD, type ServerProcess, startServer } from '../harness/server-process.js'
import { STORES } from '../harness/stores.js'

const redis = STORES.find(({ name }) => name === 'Redis')

const folder = folderPerTest()

const adminOf = ({ url }: ServerProcess) => AdminClient.login({ url, login: 'admin', password: ADMIN_PASSWORD })

if (!redis) test.skip('several servers need a redis-server', () => undefined)
else
  describe('several servers on one Redis', () => {
    const serve = async (port = 0) =>
      startServer({ store: await redis.address(folder.path), config: 'pushed-cities.mjs', port })
    const listen = ({ url }: ServerProcess) =>
      start(inRepository('packages/e2e/harness/programs/listening-device.mjs'), [
        join(folder.path, 'device'),
        url,
        'listen',
      ])

    test('act as one: objects pushed to one arrive on devices of the other without a wait', async () => {
      const [one, other] = await Promise.all([serve(), serve()])
      const listening = listen(one)
      await listening.line(/"synced":true/)
      const admin = await adminOf(other)
      await admin.push.objects('City', '*', { Amman: { name: 'Amman' } })
      await listening.line(/"cities":\["Amman"\]/)
    })

    test('share users and tokens, and go on when one of them is killed', async () => {
      const [one, other] = await Promise.all([serve(), serve()])
      const admin = await adminOf(one)
      await admin.users.create({ login: 'edsger', password: 'a long one of his' })
      await admin.push.objects('City', '*', { Amman: { name: 'Amman' } })
      await one.kill('SIGKILL')
      const there = await adminOf(other)
      expect(await there.users.list()).toContain('edsger')
      expect(await there.push.objects('City', '*', { Bern: { name: 'Bern' } })).toMatchObject({ version: 2 })
    })
  })
