import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { QUERY_HEADER } from '@godwit/protocol'
import { afterEach, expect, test } from '@jest/globals'
import { nodeFiles } from '../drivers/node-files.js'
import type { Records } from '../records/records.js'
import { FakeServer } from '../testing/fake-server.js'
import { definition, driveOn, openOn, temporaryDirectories } from '../testing/open-device.js'

const directories = temporaryDirectories()
afterEach(() => directories.removeAll())

test('a blob of an accepted change is sent again where a restored server asks for it', async () => {
  const server = new FakeServer()
  const stored = new Set<string>()
  const uploaded: string[] = []
  const fetch: FakeServer['fetch'] = async (input, init) => {
    const facts = new URLSearchParams(new Headers(init?.headers).get(QUERY_HEADER) ?? '')
    const hash = facts.get('hash') ?? ''
    if (String(input).endsWith('/blobs')) {
      uploaded.push(hash)
      stored.add(hash)
      const size = Number(facts.get('size'))
      return Response.json({ hash, size, received: size, complete: true })
    }
    const { epoch = '', mutations = [] } = init?.method === 'POST' ? JSON.parse(String(init.body)) : {}
    const named = mutations.map((one: { attributes: { photo: string } }) => one.attributes.photo)
    const hashes = named.filter((name: string) => !stored.has(name))
    if (named.length === 0) return server.fetch(input, init)
    if (hashes.length > 0) return Response.json({ status: 409, code: 'blob_missing', hashes }, { status: 409 })
    return Response.json({ epoch, outcomes: [{ number: mutations[0].number, status: 'queued' }] })
  }
  const directory = directories.make()
  const models = [definition('Photo', { attributes: { photo: 'Blob' } })]
  const drive = await driveOn('better-sqlite3', directory)
  const { sdk, device } = openOn(drive, { fetch }, models, { files: nodeFiles(directory) })
  sdk.pollInterval = 0
  await sdk.login('ada', 'ada')
  await sdk.sync()
  const path = join(directory, 'photo.txt')
  writeFileSync(path, 'a photo')
  ;(device.find('Photo') as Records).insert({ photo: path })
  await sdk.sync()
  expect([uploaded.length, sdk.changes()[0]?.state]).toEqual([1, 'sent'])
  stored.clear()
  const { sources } = await sdk.sync()
  expect([sources[0]?.error, uploaded.length, stored.size]).toEqual([undefined, 2, 1])
  await sdk.close()
})
