import { cpSync } from 'node:fs'
import { afterAll, expect, test } from '@jest/globals'
import { FakeServer } from '../testing/fake-server.js'
import { definition, driveOn, type OpenedDevice, openOn, temporaryDirectories } from '../testing/open-device.js'

const directories = temporaryDirectories()
afterAll(() => directories.removeAll())

const isPush = (request: string): boolean => request.startsWith('POST /app/v1/')

/** Returns a server whose backend assigns an id to each create, and functions that open a device's folder and copy it. */
function world() {
  const server = new FakeServer()
  let made = 0
  server.decide = ({ operation }) => (operation === 'create' ? { link: `real${++made}` } : {})
  const open = async (directory: string): Promise<OpenedDevice> =>
    openOn(await driveOn('better-sqlite3', directory), server, [definition('Visit')])
  return {
    server,
    open,
    async copied(device: OpenedDevice, directory: string) {
      await device.sdk.close()
      const copy = directories.make()
      cpSync(directory, copy, { recursive: true })
      return [await open(directory), await open(copy)] as const
    },
  }
}

/** Opens a device that is logged in and has an unsent create. */
async function deviceWithCreate({ open }: ReturnType<typeof world>) {
  const directory = directories.make()
  const device = await open(directory)
  await device.sdk.login('ada', 'ada')
  await device.sdk.sync()
  device.device.find('Visit')?.insert({ note: 'by train' })
  return { device, directory }
}

async function syncBoth(devices: readonly OpenedDevice[]): Promise<void> {
  for (let round = 0; round < 2; round++) for (const { sdk } of devices) await sdk.sync()
}

const closeAll = (devices: readonly OpenedDevice[]): Promise<unknown> =>
  Promise.all(devices.map(({ sdk }) => sdk.close()))

test('a change that was never in a request is sent by each copy of a device', async () => {
  const one = world()
  const { device, directory } = await deviceWithCreate(one)
  const devices = await one.copied(device, directory)
  await syncBoth(devices)
  expect(Object.keys(one.server.live('Visit'))).toEqual(['real1', 'real2'])
  await closeAll(devices)
})

test('a change that was in a request before the copy is done once', async () => {
  const one = world()
  const { device, directory } = await deviceWithCreate(one)
  one.server.before = request => {
    if (isPush(request)) throw new TypeError('fetch failed')
    return undefined
  }
  await expect(device.sdk.sync()).rejects.toMatchObject({ code: 'offline' })
  one.server.before = () => undefined
  const devices = await one.copied(device, directory)
  await syncBoth(devices)
  expect(Object.keys(one.server.live('Visit'))).toEqual(['real1'])
  await closeAll(devices)
})

test('copies of a device that had sent everything are two devices', async () => {
  const one = world()
  const { device, directory } = await deviceWithCreate(one)
  await device.sdk.sync()
  const devices = await one.copied(device, directory)
  for (const { device: opened } of devices) opened.find('Visit')?.insert({ note: 'by bus' })
  await syncBoth(devices)
  expect(Object.keys(one.server.live('Visit'))).toEqual(['real1', 'real2', 'real3'])
  expect(new Set(devices.map(({ sdk }) => sdk.clientId())).size).toBe(2)
  expect(devices.map(({ sdk }) => sdk.changes())).toEqual([[], []])
  await closeAll(devices)
})
