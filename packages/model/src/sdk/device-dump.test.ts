import { afterEach, expect, test } from '@jest/globals'
import type { Records } from '../records/records.js'
import { FakeServer } from '../testing/fake-server.js'
import { definition, driveOn, type OpenedDevice, openOn, temporaryDirectories } from '../testing/open-device.js'

const directories = temporaryDirectories()
const opened: OpenedDevice[] = []
afterEach(async () => {
  for (const { sdk } of opened.splice(0)) await sdk.close()
  directories.removeAll()
})

test('a dump has the state of the device, without session and, by default, without values', async () => {
  const server = new FakeServer()
  const device = openOn(await driveOn('better-sqlite3', directories.make()), server, [definition('Visit')])
  opened.push(device)
  const { sdk, parts } = device
  await sdk.login('ada', 'ada')
  server.write('Visit', { a: { note: 'a secret' } })
  await sdk.sync()
  const { object } = (device.device.find('Visit') as Records).insert({ note: 'another secret' })
  const dump = sdk.debug()
  expect(dump).toMatchObject({
    user: { name: 'ada', loggedIn: true, client: sdk.clientId() },
    models: [{ name: 'Visit', objects: 2, source: { token: true, running: false, total: 1 } }],
    changes: [{ model: 'Visit', object, operation: 'create', state: 'unsent', attributes: ['note'] }],
    refused: [],
  })
  expect(JSON.stringify(dump)).not.toContain('secret')
  expect(JSON.stringify(dump)).not.toContain(parts.session.token)
  expect(sdk.debug({ values: true }).changes).toMatchObject([{ attributes: { note: 'another secret' } }])
})

test('a dump has the message of a refusal only with values, as it may quote them', async () => {
  const server = new FakeServer()
  const device = openOn(await driveOn('better-sqlite3', directories.make()), server, [definition('Visit')])
  opened.push(device)
  const { sdk } = device
  await sdk.login('ada', 'ada')
  server.decide = () => ({ status: 'refused' })
  const { object } = (device.device.find('Visit') as Records).insert({ note: 'a secret' })
  await sdk.sync()
  const [reported] = sdk.debug().refused
  expect(reported).toMatchObject({ object, attributes: ['note'], was: [], status: 'refused' })
  expect(reported?.error).toEqual({ code: 'refused' })
  const error = { code: 'refused', message: 'The source says refused.' }
  expect(sdk.debug({ values: true }).refused).toMatchObject([{ attributes: { note: 'a secret' }, error }])
})
