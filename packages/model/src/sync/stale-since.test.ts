import { afterEach, describe, expect, test } from '@jest/globals'
import { FakeServer } from '../testing/fake-server.js'
import { DRIVERS, definition, driveOn, openOn, temporaryDirectories } from '../testing/open-device.js'

const directories = temporaryDirectories()
afterEach(() => directories.removeAll())

describe.each(DRIVERS)('over %s, models whose feed is silent', driver => {
  test('are stale since the time that the server names, until a page comes without it', async () => {
    const server = new FakeServer()
    const drive = await driveOn(driver, directories.make())
    const { sdk } = openOn(drive, server, [definition('City'), definition('Visit')])
    const since = () => [sdk.status().staleSince, sdk.staleSince('City' as never), sdk.staleSince('Visit' as never)]
    await sdk.login('ada', 'ada')
    await sdk.sync()
    expect(since()).toEqual([null, null, null])
    server.staleSince.set('City', '2026-03-01T10:00:30.000Z')
    server.staleSince.set('Visit', '2026-03-01T10:00:00.000Z')
    await sdk.sync()
    expect(since()).toEqual(['2026-03-01T10:00:00.000Z', '2026-03-01T10:00:30.000Z', '2026-03-01T10:00:00.000Z'])
    await sdk.close()
    const again = openOn(drive, server, [definition('City'), definition('Visit')]).sdk
    expect(again.status().staleSince).toBe('2026-03-01T10:00:00.000Z')
    server.staleSince.clear()
    await again.sync()
    expect(again.status().staleSince).toBeNull()
    await again.close()
  })
})
