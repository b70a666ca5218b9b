import { join } from 'node:path'
import { AdminClient } from '@godwit/admin-client'
import { afterEach, describe, expect, test } from '@jest/globals'
import { commandLineDevice } from '../harness/device-process.js'
import { endAll } from '../harness/process.js'
import { ADMIN_PASSWORD, startServer } from '../harness/server-process.js'
import { storesOf, temporaryFolder } from '../harness/stores.js'

describe.each(storesOf('pushed-objects'))('over $name', ({ address }) => {
  const folder = temporaryFolder()
  afterEach(async () => {
    await endAll()
    folder.remove()
  })

  test('ten cities that a backend pushes reach both devices as ten objects', async () => {
    const server = await startServer({ store: await address(folder.path), config: 'pushed-cities.mjs' })
    const admin = await AdminClient.login({ url: server.url, login: 'admin', password: ADMIN_PASSWORD })
    const devices = []
    for (const login of ['ada', 'grace']) {
      const device = commandLineDevice(join(folder.path, login), server.url)
      expect(await device.run('login', login, login)).toMatchObject({ code: 0 })
      expect(await device.run('sync')).toMatchObject({ code: 0 })
      devices.push(device)
    }
    const cities = Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [
        `city-${index}`,
        { name: `City ${index}`, country: 'XX', population: index },
      ]),
    )
    await admin.push.objects('City', '*', cities)
    for (const device of devices) {
      await device.run('sync')
      const found = (await device.run<{ id: string; name: string }[]>('find', 'City', '--limit', '100')).value
      expect(found).toHaveLength(10)
      expect(found[0]).toMatchObject({ id: 'city-9', name: 'City 9', population: 9 })
    }
  })
})
