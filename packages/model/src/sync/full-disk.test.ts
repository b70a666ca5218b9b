import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test } from '@jest/globals'
import { nodeFiles } from '../drivers/node-files.js'
import type { SdkEvent } from '../events/sdk-events.js'
import type { DeviceFiles } from '../platform/device-files.js'
import { FakeServer } from '../testing/fake-server.js'
import { definition, driveOn, openOn, temporaryDirectories } from '../testing/open-device.js'

const directories = temporaryDirectories()
afterEach(() => directories.removeAll())

const full = (): never => {
  throw new Error('ENOSPC: no space left on device, write')
}

/** A device whose disk has no place for what `part` does. */
async function open(part: (files: DeviceFiles) => Partial<DeviceFiles>) {
  const directory = directories.make()
  const files = { ...nodeFiles(directory), ...part(nodeFiles(directory)) }
  const server = new FakeServer()
  const definitions = [definition('Photo', { attributes: { photo: 'Blob' } })]
  const device = openOn(await driveOn('better-sqlite3', directory), server, definitions, { files })
  const heard: SdkEvent[] = []
  device.parts.events.listen(event => heard.push(event))
  await device.sdk.login('ada', 'ada')
  return { ...device, server, files, heard }
}

const FULL = { code: 'database_failed', message: expect.stringContaining('no space left') }
const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

test('a photo that does not fit on the disk has a separate error, and the sync goes on', async () => {
  const append: DeviceFiles['append'] = (_, bytes) => (bytes.length > 0 ? full() : undefined)
  const { sdk, server, heard } = await open(() => ({ append }))
  server.write('Photo', { a: { photo: sha256('a photo') } })
  server.before = request => (request.includes('/blobs/') ? new Response('a photo') : undefined)
  expect((await sdk.sync()).sources).toEqual([{ source: 'Photo', received: 1, sent: 0 }])
  expect(heard).toContainEqual({ kind: 'error', source: 'Photo', error: FULL })
  await sdk.close()
})

test('bulk data that does not fit on the disk leaves no file', async () => {
  const { sdk, server, files } = await open(files => ({
    async unzip(_, as) {
      files.append(as, new Uint8Array(5))
      full()
    },
  }))
  const file = gzipSync('rows')
  const answer = { status: 'ready', url: '/file', sha256: sha256(file), size: file.length, tokens: {} }
  server.before = request => {
    if (request.endsWith('/bulk_data')) return Response.json(answer)
    return request.endsWith('/file') ? new Response(file) : undefined
  }
  await expect(sdk.bulkSync()).rejects.toMatchObject(FULL)
  expect(files.list('bulk')).toEqual([])
  await sdk.close()
})
