import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { nodeFiles } from '../drivers/node-files.js'
import type { Records } from '../records/records.js'
import { FakeServer } from '../testing/fake-server.js'
import { definition, driveOn, type OpenedDevice, openOn, temporaryDirectories } from '../testing/open-device.js'
import { download } from './download.js'
import { Transport } from './transport.js'

const directories = temporaryDirectories()
const HOTSPOT = { message: 'Accept the terms of this network.' }
const REFUSED = { code: 'offline', message: expect.stringContaining('Another system may have responded') }

let device: OpenedDevice
let directory: string
let server: FakeServer
let visits: Records
beforeEach(async () => {
  server = new FakeServer()
  directory = directories.make()
  const definitions = [definition('Visit', { attributes: { photo: 'Blob' } })]
  const files = nodeFiles(directory)
  device = openOn(await driveOn('better-sqlite3', directory), server, definitions, { files })
  visits = device.device.find('Visit') as Records
  server.write('Visit', { a: { note: 'there' } })
  await device.sdk.login('ada', 'ada')
  await device.sdk.sync()
})
afterEach(async () => {
  await device.sdk.close()
  directories.removeAll()
})

/** From now on something else answers what the test picks. */
function between(answers: (request: string) => boolean, answer: unknown = HOTSPOT): void {
  server.requests.length = 0
  server.before = request => (answers(request) ? Response.json(answer) : undefined)
}

describe('an answer of an intermediary', () => {
  test.each([HOTSPOT, null, [], { ends: true, count: 1 }])('to a pull changes nothing: %j', async answer => {
    const before = device.sdk.debug()
    between(request => request.startsWith('GET /app/'), answer)
    await expect(device.sdk.sync()).rejects.toMatchObject(REFUSED)
    expect(device.sdk.debug()).toEqual(before)
  })

  test('to a push leaves the change to be sent', async () => {
    visits.change('a', { note: 'mine' })
    between(request => request.startsWith('POST /app/'))
    await expect(device.sdk.sync()).rejects.toMatchObject(REFUSED)
    expect(device.sdk.changes()).toMatchObject([{ object: 'a', state: 'sent' }])
    between(() => false)
    await device.sdk.sync()
    expect([device.sdk.changes(), server.live('Visit')]).toEqual([[], { a: { note: 'mine' } }])
  })

  test('to a login keeps the session, and unsent changes stay guarded', async () => {
    visits.change('a', { note: 'mine' })
    between(request => request.endsWith('/login'))
    await expect(device.sdk.login('ada', 'ada')).rejects.toMatchObject(REFUSED)
    expect([device.sdk.isLoggedIn(), device.sdk.userName]).toEqual([true, 'ada'])
    between(() => false)
    await expect(device.sdk.login('grace', 'grace')).rejects.toMatchObject({ code: 'unsent_changes' })
  })

  test.each([401, 403, 404, 407, 411, 413, 422])(
    'with the status %i, as a hotspot or a proxy gives it, ends no session and refuses nothing',
    async status => {
      visits.change('a', { note: 'mine' })
      server.before = request => (request.includes('/app/v1/') ? new Response('<p>Log in here', { status }) : undefined)
      const error = {
        code: 'offline',
        message: `A system between this device and the server responded with status ${status}.`,
      }
      await expect(device.sdk.sync()).rejects.toMatchObject(error)
      expect([device.sdk.isLoggedIn(), device.sdk.refused()]).toEqual([true, []])
      between(() => false)
      await device.sdk.sync()
      expect([device.sdk.changes(), server.live('Visit')]).toEqual([[], { a: { note: 'mine' } }])
    },
  )

  test('that is a captive portal means offline, also for streams and files', async () => {
    const page = () =>
      new Response('<!doctype html><p>Welcome to the hotel', { headers: { 'content-type': 'text/html' } })
    server.before = () => page()
    await expect(device.sdk.sync()).rejects.toMatchObject(REFUSED)
    await expect(device.sdk.login('ada', 'ada')).rejects.toMatchObject(REFUSED)
    const fetch = async () => page()
    const transport = new Transport({
      server: 'http://sync.test',
      fetch,
      whole: fetch,
      stream: fetch,
      timeoutMilliseconds: 9,
    })
    await expect(transport.events({ session: 'some', client: 'some' })).rejects.toMatchObject(REFUSED)
    const open = async () => page()
    const files = nodeFiles(directory)
    const name = 'blobs/file'
    await expect(download(files, { name, hash: 'none', open })).rejects.toMatchObject(REFUSED)
    expect(files.size(`${name}.part`)).toBeUndefined()
  })

  test('to the upload of a file ends the sync', async () => {
    writeFileSync(join(directory, 'photo.jpg'), 'a photo')
    visits.change('a', { photo: join(directory, 'photo.jpg') })
    between(request => request.endsWith('/blobs'))
    await expect(device.sdk.sync()).rejects.toMatchObject(REFUSED)
    expect(server.requests.filter(request => request.endsWith('/blobs'))).toHaveLength(1)
  })

  test('to a search, to a call for bulk data or to one for a client id rejects', async () => {
    between(() => true)
    await expect(device.sdk.search({ search: 'x' })).rejects.toMatchObject(REFUSED)
    await expect(device.sdk.bulkSync()).rejects.toMatchObject(REFUSED)
    device.sdk.databaseClientReset()
    await expect(device.sdk.sync()).rejects.toMatchObject(REFUSED)
  })

  test('to a repair removes no row', async () => {
    const model = device.parts.registry.get('Visit')
    model?.scope.sources.change('Visit', { checksum: '0123456789abcdef' })
    between(request => request.endsWith('/versions'))
    await expect(device.sdk.sync()).rejects.toMatchObject(REFUSED)
    between(request => request.endsWith('/objects'))
    model?.rows.update('a', { version: 77, pass: 1, attributes: { note: 'wrong' } })
    await expect(device.sdk.sync()).rejects.toMatchObject(REFUSED)
    between(() => false)
    await device.sdk.sync()
    expect(visits.get('a')?.attributes).toEqual({ note: 'there' })
  })
})
