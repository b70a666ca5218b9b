import { expect, test } from '@jest/globals'
import { EVERYTHING } from '../query/query-tree.js'
import { automaticDevices } from '../testing/automatic-devices.fixture.js'
import { FakeServer } from '../testing/fake-server.js'

const { open, settled } = automaticDevices()

test('a login that is refused for unsent changes leaves the sync of the device running', async () => {
  const server = new FakeServer()
  const ask = server.fetch
  let isBlocked = true
  const blocked = (signal: AbortSignal | null | undefined) =>
    new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  Object.assign(server, {
    fetch: (async (input, init) =>
      isBlocked && String(input).includes('/app/v1/') ? blocked(init?.signal) : ask(input, init)) as typeof ask,
  })
  const { sdk, timers, records } = await open({ server })
  server.write('City', { c: { name: 'Paris' } })
  await sdk.login('ada', 'ada')
  timers.pass(0)
  await settled()
  records('City').insert({ name: 'Rome' })
  isBlocked = false
  await expect(sdk.login('grace', 'grace')).rejects.toMatchObject({ code: 'unsent_changes' })
  timers.pass(0)
  await settled()
  expect([sdk.userName, records('City').count(EVERYTHING), sdk.changes()]).toEqual(['ada', 2, []])
})
