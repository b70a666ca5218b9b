import { afterEach, expect, test } from '@jest/globals'
import { EVERYTHING } from '../query/query-tree.js'
import { FakeServer } from '../testing/fake-server.js'
import {
  DRIVERS,
  definition,
  driveOn,
  type OpenedDevice,
  openOn,
  temporaryDirectories,
} from '../testing/open-device.js'

const directories = temporaryDirectories()
const opened: OpenedDevice[] = []
afterEach(async () => {
  for (const { sdk } of opened.splice(0)) await sdk.close()
  directories.removeAll()
})

test.each(DRIVERS)('a device of another layout is refused and left as it is, over %s', async name => {
  const [server, drive] = [new FakeServer(), await driveOn(name, directories.make())]
  const open = () => {
    opened.push(openOn(drive, server, [definition('Bag', { attributes: { a: 'String' } })]))
    return opened.at(-1) as OpenedDevice
  }
  open().device.find('Bag')?.insert({ a: 'A' }, 'kept')
  await opened.splice(0)[0]?.sdk.close()
  const write = (layout: number) => {
    const driver = drive.open('device.sqlite')
    driver.attach('user.sqlite', 'user')
    driver.exec(`PRAGMA user.user_version = ${layout}`)
    driver.close()
  }
  write(1000)
  expect(open).toThrow(/newer version of the app: expected layout \d+ or older, got 1000/)
  for (const layout of [0, 1]) {
    write(layout)
    expect(open).toThrow(`before the first release: expected layout 2, got ${layout}`)
  }
  write(2)
  expect(open().device.find('Bag')?.read(EVERYTHING)).toMatchObject([{ object: 'kept' }])
})
