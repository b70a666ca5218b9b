import { readFileSync } from 'node:fs'
import type { License } from '@godwit/protocol'
import { openMemoryStore } from '@godwit/store'
import { verifies } from '@godwit/testing'
import { expect, test } from '@jest/globals'
import { json, openServer, type TestServer } from '../../testing/open-server.js'

const licenseOf = async (on: TestServer): Promise<License> =>
  json(await on.call('GET', '/rc/v1/system/license', { headers: await on.as() }))

test('the license in use is returned', async () => {
  verifies('rest.system.license')

  const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
  const license = await licenseOf(openServer())
  expect(license).toMatchObject({ license: 'Apache-2.0', version: manifest.version, seats: null, devices: 0 })
})

test('the licensee is the configured name, or anyone', async () => {
  expect((await licenseOf(openServer())).licensee).toMatch(/^Anyone may use/)
  expect((await licenseOf(openServer({ licensee: 'Harbour Ltd' }))).licensee).toBe('Harbour Ltd')
})

test('devices are counted', async () => {
  const on = openServer()
  await on.device('ada')
  await on.device('bob')
  expect((await licenseOf(on)).devices).toBe(2)
})

test('it was issued when the store was first bootstrapped, and later starts keep that date', async () => {
  let now = Date.parse('2026-01-01T00:00:00Z')
  const clock = () => now
  const store = openMemoryStore({ clock })
  expect((await licenseOf(openServer({ store, clock }))).issued).toBe('2026-01-01T00:00:00.000Z')
  now += 86_400_000
  expect((await licenseOf(openServer({ store, clock }))).issued).toBe('2026-01-01T00:00:00.000Z')
})
