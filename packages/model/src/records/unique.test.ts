import { afterEach, expect, test } from '@jest/globals'
import { EVERYTHING } from '../query/query.js'
import type { Records } from '../records/records.js'
import { FakeServer } from '../testing/fake-server.js'
import { definition, driveOn, type Opened, openOn, temporaryDirectories } from '../testing/open-device.js'

const directories = temporaryDirectories()
const opened: Opened[] = []
afterEach(async () => {
  for (const { sdk } of opened.splice(0)) await sdk.close()
  directories.removeAll()
})

test('what the server sends goes in although an index is unique, and is told; what the app saves does not', async () => {
  const server = new FakeServer()
  const indexes = [{ name: 'once', attributes: ['name'], unique: true }]
  const device = openOn(await driveOn('better-sqlite3', directories.make()), server, [definition('City', { indexes })])
  opened.push(device)
  const cities = device.device.find('City') as Records
  const told: unknown[] = []
  device.parts.events.listen(event => event.kind === 'duplicate' && told.push(event))
  await device.sdk.login('ada', 'ada')
  cities.insert({ name: 'Paris' }, 'mine')
  server.write('City', { theirs: { name: 'Paris' }, other: { name: 'Rome' } })
  await device.sdk.sync()
  expect(cities.count(EVERYTHING)).toBe(3)
  expect(told).toContainEqual({ kind: 'duplicate', source: 'City', index: 'once', objects: ['theirs', 'mine'] })
  expect(() => cities.insert({ name: 'Rome' })).toThrow(expect.objectContaining({ code: 'not_unique' }))
})
