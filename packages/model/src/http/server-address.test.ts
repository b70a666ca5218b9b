import { afterEach, describe, expect, test } from '@jest/globals'
import { openSdk } from '../node.js'
import { temporaryDirectories } from '../testing/open-device.js'
import { defineModel } from '../typed/define-model.js'
import { t } from '../typed/t.js'

const directories = temporaryDirectories()
afterEach(() => directories.removeAll())

const refusal = (got: string) =>
  expect.objectContaining({ code: 'value_not_allowed', message: expect.stringContaining(got) })

describe('the address of the server', () => {
  test.each([
    'nope',
    '',
    'localhost:8675',
    'ftp://sync.test',
    'http://ada:secret@sync.test',
    'http://sync.test/?a=1',
    5,
  ])('is refused when the device is opened: %p', async server => {
    const opening = openSdk({ directory: directories.make(), server: server as string })
    await expect(opening).rejects.toThrow(refusal('expected the address of the sync server'))
    await expect(opening).rejects.not.toThrow('secret')
  })

  test.each(['http://127.0.0.1:8675', 'https://sync.test/', 'https://sync.test/godwit'])('may be %s', async server => {
    const sdk = await openSdk({ directory: directories.make(), server })
    await sdk.close()
  })

  test('is not needed where nothing syncs; a login then says what is missing', async () => {
    const Note = defineModel('Note', { attributes: { text: t.string() } })
    const sdk = await openSdk({ directory: directories.make(), models: { Note } })
    sdk.models.Note.create({ text: 'kept here' })
    expect(sdk.models.Note.count()).toBe(1)
    await expect(sdk.login('ada', 'ada')).rejects.toThrow(refusal('opened without a server'))
    await expect(sdk.sync()).rejects.toMatchObject({ code: 'logged_out' })
    await sdk.close()
  })

  test('is needed by a model that syncs', async () => {
    const Note = defineModel('Note', { sync: 'incremental', attributes: { text: t.string() } })
    await expect(openSdk({ directory: directories.make(), models: { Note } })).rejects.toThrow(refusal('got undefined'))
  })
})
