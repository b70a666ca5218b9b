import { afterEach, expect, test } from '@jest/globals'
import { nodeFiles } from '../drivers/node-files.js'
import type { SdkEvent } from '../events/sdk-events.js'
import { FakeServer } from '../testing/fake-server.js'
import { definition, driveOn, type OpenedDevice, openOn, temporaryDirectories } from '../testing/open-device.js'

const directories = temporaryDirectories()
afterEach(() => directories.removeAll())

/** A device whose app stops the sync just as this is asked for. */
async function open(request: string) {
  const server = new FakeServer()
  const fetch: FakeServer['fetch'] = async (input, init) => {
    if (String(input).includes(request)) void device.sdk.stopSync()
    init?.signal?.throwIfAborted()
    return server.fetch(input, init)
  }
  const directory = directories.make()
  const definitions = [definition('Photo', { attributes: { photo: 'Blob' } })]
  const files = nodeFiles(directory)
  const device: OpenedDevice = openOn(await driveOn('better-sqlite3', directory), { fetch }, definitions, { files })
  const heard: SdkEvent[] = []
  device.parts.events.listen(event => heard.push(event))
  server.write('Photo', { a: { photo: '0'.repeat(64) } })
  await device.sdk.login('ada', 'ada')
  return { sdk: device.sdk, errors: () => heard.filter(({ kind }) => kind === 'error') }
}

test.each(['/clients', '/app/v1/Photo', '/blobs/'])('a sync that is stopped at %s is no failure', async request => {
  const { sdk, errors } = await open(request)
  expect(await sdk.sync()).toMatchObject({ stopped: true })
  expect(errors()).toEqual([])
  await sdk.close()
})

test.each(['/clients', '/bulk_data'])('bulk data that is stopped at %s is no failure', async request => {
  const { sdk, errors } = await open(request)
  expect(await sdk.bulkSync()).toMatchObject({ sources: [], sync: { stopped: true } })
  expect(errors()).toEqual([])
  await sdk.close()
})
