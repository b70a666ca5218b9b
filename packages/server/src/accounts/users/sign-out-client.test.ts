import type { DeviceSession } from '@godwit/protocol'
import { expect, test } from '@jest/globals'
import { failure, json, openServer, type TestServer } from '../../testing/open-server.js'

const signOut = async (on: TestServer, client: string) =>
  on.call('DELETE', `/rc/v1/clients/${client}/session`, { headers: await on.as() })

const pull = async (on: TestServer, headers: Record<string, string>) =>
  failure(await on.call('GET', '/app/v1/City', { headers }))

test('one device is signed out, the others of its user stay', async () => {
  const on = openServer()
  const [lost, kept] = [await on.device('ada'), await on.device('ada')]
  expect((await signOut(on, lost.client)).status).toBe(200)
  expect(await pull(on, lost.headers)).toBe('401 session_missing')
  expect(await pull(on, kept.headers)).toBe('200')
})

test('a device that was signed out goes on after a login, under its own id', async () => {
  const on = openServer()
  const device = await on.device('ada')
  await signOut(on, device.client)
  const body = { login: 'ada', password: 'secret' }
  const { session } = await json<DeviceSession>(await on.call('POST', '/rc/v1/app/login', { body }))
  expect(await pull(on, { ...device.headers, authorization: `Bearer ${session}` })).toBe('200')
})

test('a device that was signed out goes on after a login although the clock was set back', async () => {
  let now = 1_700_000_000_000
  const on = openServer({ clock: () => now })
  const device = await on.device('ada')
  await signOut(on, device.client)
  now -= 24 * 3_600_000
  const body = { login: 'ada', password: 'secret' }
  const { session } = await json<DeviceSession>(await on.call('POST', '/rc/v1/app/login', { body }))
  expect(await pull(on, { ...device.headers, authorization: `Bearer ${session}` })).toBe('200')
  expect(await pull(on, device.headers)).toBe('401 session_missing')
})

test('a session that the device used before its last one no longer speaks for it', async () => {
  const on = openServer()
  const device = await on.device('ada')
  const body = { login: 'ada', password: 'secret' }
  const { session } = await json<DeviceSession>(await on.call('POST', '/rc/v1/app/login', { body }))
  const newer = { ...device.headers, authorization: `Bearer ${session}` }
  expect(await pull(on, newer)).toBe('200')
  await signOut(on, device.client)
  expect(await pull(on, device.headers)).toBe('401 session_missing')
  expect(await pull(on, newer)).toBe('401 session_missing')
})

test('an unknown device is not found', async () => {
  expect(await failure(await signOut(openServer(), 'nowhere'))).toBe('404 client_not_found')
})
