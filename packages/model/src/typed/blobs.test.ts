import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from '@jest/globals'
import { nodeFiles } from '../drivers/node-files.js'
import { openSdk } from '../node.js'
import { openSdkOn } from '../sdk/open-sdk.js'
import { FakeServer } from '../testing/fake-server.js'
import { driveOn, temporaryDirectories } from '../testing/open-device.js'
import { defineModel } from './define-model.js'
import { t } from './t.js'

const Photo = defineModel('Photo', {
  sync: 'incremental',
  attributes: { title: t.string().default(''), photo: t.blob().optional() },
})

const directories = temporaryDirectories()
const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const sdk of opened.splice(0)) await sdk.close()
  directories.removeAll()
})

async function open(server = new FakeServer()) {
  const directory = directories.make()
  const options = { directory, server: 'http://sync.test', fetch: server.fetch, eventStream: false }
  const sdk = await openSdk({ ...options, sendWrites: 'with-sync', models: { Photo } })
  opened.push(sdk)
  return { sdk, directory }
}

function failureOf(call: () => unknown): unknown {
  try {
    return call()
  } catch (error) {
    return error
  }
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

test('a blob is given by its bytes or by the path of a file, and is the same file', async () => {
  const { sdk, directory } = await open()
  const { Photo } = sdk.models
  const file = join(directories.make(), 'photo.jpg')
  writeFileSync(file, 'a photo')
  const [one, other] = [Photo.create({ photo: bytes('a photo') }), Photo.create({ photo: file })]
  expect(one.photo).toEqual({ hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(other.photo).toEqual(one.photo)
  const contentOf = (hash: string) => readFileSync(sdk.blobPath({ hash }), 'utf8')
  expect(contentOf(one.photo?.hash ?? '')).toBe('a photo')
  const empty = Photo.update(one.id, { photo: new Uint8Array() })
  expect(contentOf(empty?.photo?.hash ?? '')).toBe('')
  const many = Photo.createMany([{ photo: bytes('1') }, { photo: Buffer.from('xx2').subarray(2) }])
  expect(many.map(({ photo }) => contentOf(photo?.hash ?? ''))).toEqual(['1', '2'])
  expect(Photo.update(one.id, { photo: bytes('1') })?.photo).toEqual(many[0]?.photo)
  expect(readdirSync(join(directory, 'blobs')).sort()).toEqual(
    [...new Set([one, empty, ...many].map(row => row?.photo?.hash))].sort(),
  )
  expect(Photo.update(one.id, { photo: null })?.photo).toBeUndefined()
  await sdk.login('ada', 'ada')
  expect(sdk.changes().map(({ attributes }) => attributes['photo'])).toContain(other.photo?.hash)
})

test('a platform that cannot write bytes synchronously, or has no files, says so', async () => {
  const drive = await driveOn('better-sqlite3', directories.make())
  for (const [files, expected] of [
    [
      { ...nodeFiles(directories.make()), take: () => undefined },
      'expected a Blob, since this platform cannot write bytes',
    ],
    [undefined, 'expected a platform with file storage, which this one does not have, got 1 bytes'],
  ] as const) {
    const sdk = openSdkOn(drive, { server: 'http://sync.test', models: { Photo } }, files && { files })
    expect(() => sdk.models.Photo.create({ photo: bytes('x') })).toThrow(expected)
    expect(sdk.models.Photo.count()).toBe(0)
    await sdk.close()
  }
})

test('the path of a file that is not on this device is refused, and nothing is stored', async () => {
  const server = new FakeServer()
  const { sdk } = await open(server)
  const { Photo } = sdk.models
  const absent = 'a'.repeat(64)
  server.write('Photo', { there: { title: 'not fetched', photo: absent } })
  await sdk.login('ada', 'ada')
  await sdk.sync()
  const foreign = Photo.get('there')?.photo?.hash ?? ''
  const made = Photo.create({ photo: bytes('swept later') })
  const remembered = sdk.blobPath(made.photo ?? { hash: '' })
  Photo.destroy(made.id)
  rmSync(remembered, { force: true })
  const refusal = { code: 'attribute_invalid', message: expect.stringMatching(/not on this device, sync first/) }
  const other = Photo.create({ title: 'other' })
  const before = sdk.changes()
  for (const path of [sdk.blobPath({ hash: foreign }), remembered, absent]) {
    expect(failureOf(() => Photo.create({ photo: path }))).toMatchObject(refusal)
    expect(failureOf(() => Photo.createMany([{ title: 'one' }, { photo: path }]))).toMatchObject(refusal)
    expect(failureOf(() => Photo.update(other.id, { photo: path }))).toMatchObject(refusal)
    expect(failureOf(() => Photo.updateMany({ title: 'other' }, { photo: path }))).toMatchObject(refusal)
  }
  // Writing back the current value is no change, even before the file is downloaded.
  Photo.update('there', { title: 'renamed', photo: sdk.blobPath({ hash: foreign }) })
  expect([Photo.count(), sdk.changes().length]).toEqual([2, before.length + 1])
  await sdk.sync()
  expect(server.live('Photo')).toMatchObject({ there: { title: 'renamed', photo: absent } })
})

test('bytes are refused for attributes other than blobs', async () => {
  const { sdk } = await open()
  const { Photo } = sdk.models
  const wrong = expect.objectContaining({ code: 'attribute_invalid' })
  expect(() => Photo.create({ title: bytes('x') as never })).toThrow(wrong)
  expect(() => Photo.create({ photo: [1, 2] as never })).toThrow(wrong)
  const handle = sdk.addModel('Other', model => model.setModelProperty('photo', 'Blob'))
  expect(() => handle.create({ photo: bytes('x') as never })).toThrow(wrong)
})
