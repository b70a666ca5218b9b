import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import { nodeFiles } from '../drivers/node-files.js'
import { FakeServer } from '../testing/fake-server.js'
import { definition, driveOn, openOn, temporaryDirectories } from '../testing/open-device.js'
import type { DeviceFiles } from './device-files.js'

const directories = temporaryDirectories()
afterAll(() => directories.removeAll())

/** Returns file storage whose methods return delayed promises. */
function promised(files: DeviceFiles): DeviceFiles {
  const late =
    <Values extends readonly unknown[], Result>(run: (...values: Values) => Result) =>
    async (...values: Values): Promise<Awaited<Result>> => {
      await new Promise(resolve => setTimeout(resolve, 2))
      return await run(...values)
    }
  return {
    ...files,
    read: late(files.read),
    append: late(files.append),
    finish: late(files.finish),
    remove: late(files.remove),
    list: late(files.list),
  }
}

test('blobs are sent and received where file operations return promises', async () => {
  const directory = directories.make()
  const picture = join(directory, 'picture.png')
  writeFileSync(picture, 'a picture')
  const server = new FakeServer()
  const sent: string[] = []
  const theirs = createHash('sha256').update('their picture').digest('hex')
  server.write('Photo', { theirs: { photo: theirs } })
  server.before = request => (request.includes('/blobs/') ? new Response('their picture') : undefined)
  const fetch: FakeServer['fetch'] = async (input, init) => {
    if (!(init?.body instanceof Uint8Array)) return server.fetch(input, init)
    sent.push(Buffer.from(init.body).toString())
    return Response.json({ received: init.body.length, complete: true })
  }
  const files = nodeFiles(directory)
  const definitions = [definition('Photo', { attributes: { photo: 'Blob' } })]
  const { sdk, device } = openOn(await driveOn('better-sqlite3', directory), { fetch }, definitions, {
    files: promised(files),
  })
  await sdk.login('ada', 'ada')
  device.find('Photo')?.insert({ photo: picture })
  await sdk.sync()
  expect(sent).toEqual(['a picture'])
  expect(Buffer.from(await files.read(`blobs/${theirs}`, 0, 100)).toString()).toBe('their picture')
  await sdk.close()
})
