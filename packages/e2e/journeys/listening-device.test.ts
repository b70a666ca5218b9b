import { AdminClient } from '@godwit/admin-client'
import { ListeningDevice } from '@godwit/model/testing'
import { createSyncServer, defineSource } from '@godwit/server'
import { openMemoryStore } from '@godwit/store'
import { until } from '@godwit/testing'
import { expect, test } from '@jest/globals'

const admin = { login: 'admin', password: 'admin' }

test('a device without rows, of which load tests run thousands, pulls what a hint announces', async () => {
  const store = openMemoryStore()
  const server = createSyncServer({
    store,
    sources: [defineSource({ name: 'City', partition: 'app' })],
    users: [{ login: 'ada', password: 'ada' }],
    admin,
    limits: { passwordCost: 16 },
  })
  const { url } = await server.listen({ port: 0 })
  const counts = { streams: 0, opened: 0, checks: 0, changes: 0, hinted: 0, pulls: 0, failures: {} }
  const device = new ListeningDevice({ server: url, sources: ['City'], pollInterval: 1000, counts })
  try {
    await device.login('ada', 'ada')
    await until(() => counts.opened === 1)
    const { push } = await AdminClient.login({ url, ...admin })
    await push.objects('City', '*', { 1: { name: 'Amman' } })
    await until(() => device.headOf('City') > 0, { within: 20_000 })
    expect(counts).toMatchObject({ pulls: 1, hinted: 1, failures: {} })
  } finally {
    device.close()
    await server.close()
    await store.close()
  }
})
