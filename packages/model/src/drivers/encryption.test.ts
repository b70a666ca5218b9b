import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import { openSdk } from '../node.js'
import { FakeServer } from '../testing/fake-server.js'
import { temporaryDirectories } from '../testing/open-device.js'
import { defineModel } from '../typed/define-model.js'
import { t } from '../typed/t.js'

const directories = temporaryDirectories()
afterAll(() => directories.removeAll())

const SECRET = 'the patient is called Ada Lovelace'
const Note = defineModel('Note', { attributes: { text: t.string() } })
const Visit = defineModel('Visit', { sync: 'incremental', attributes: { text: t.string() } })

const open = (directory: string, encryptionKey?: string) =>
  openSdk({
    directory,
    server: 'http://sync.test',
    fetch: new FakeServer().fetch,
    models: { Note, Visit },
    ...(encryptionKey !== undefined && { encryptionKey }),
  })

/** Opens a device and writes a row to each kind of file. It stays open, so that its logs can be checked. */
async function fill(directory: string, encryptionKey?: string) {
  const sdk = await open(directory, encryptionKey)
  sdk.models.Note.create({ text: SECRET })
  sdk.models.Visit.create({ text: SECRET })
  await sdk.login('ada', 'ada')
  return sdk
}

const filesWith = (directory: string, text: string): readonly string[] =>
  readdirSync(directory).filter(name => readFileSync(join(directory, name)).includes(text))

describe('an encrypted device', () => {
  test('keeps no readable byte of its rows in any file, and opens with its key', async () => {
    const directory = directories.make()
    const sdk = await fill(directory, "it's a key")
    expect(filesWith(directory, SECRET)).toEqual([])
    await sdk.close()
    expect(filesWith(directory, SECRET)).toEqual([])
    expect(filesWith(directory, 'SQLite format 3').filter(name => name !== 'lock.sqlite')).toEqual([])
    const again = await open(directory, "it's a key")
    expect(again.models.Note.find()).toMatchObject([{ text: SECRET }])
    await again.close()
  })

  test('without a key the rows can be read in the files, so the test would find them', async () => {
    const directory = directories.make()
    const sdk = await fill(directory)
    expect(filesWith(directory, SECRET)).not.toEqual([])
    await sdk.close()
  })

  test('cannot be opened with another key or none, nor a plain one with a key', async () => {
    const [encrypted, plain] = [directories.make(), directories.make()]
    await (await fill(encrypted, 'right')).close()
    await (await fill(plain)).close()
    const wrong = expect.objectContaining({ code: 'encryption_key_wrong' })
    await expect(open(encrypted, 'wrong')).rejects.toEqual(wrong)
    await expect(open(encrypted)).rejects.toEqual(wrong)
    await expect(open(plain, 'right')).rejects.toEqual(wrong)
    const sdk = await open(encrypted, 'right')
    expect(sdk.models.Visit.count()).toBe(1)
    await sdk.close()
  })

  test('says what an encrypted device needs', async () => {
    const directory = directories.make()
    const options = { directory, server: 'http://sync.test' }
    await expect(openSdk({ ...options, encryptionKey: '' })).rejects.toThrow(/at least one character/)
    await expect(openSdk({ ...options, encryptionKey: 'x', driver: 'node-sqlite' })).rejects.toThrow(/does not encrypt/)
  })
})
