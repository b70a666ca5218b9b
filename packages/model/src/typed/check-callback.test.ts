import { afterEach, expect, test } from '@jest/globals'
import { openSdk } from '../node.js'
import { temporaryDirectories } from '../testing/open-device.js'
import { defineModel } from './define-model.js'
import { t } from './t.js'

const directories = temporaryDirectories()
afterEach(() => directories.removeAll())

test('an observe without a callback is refused at once, and says what it takes', async () => {
  const Note = defineModel('Note', { attributes: { text: t.string() } })
  const sdk = await openSdk({ directory: directories.make(), server: 'http://sync.test', models: { Note } })
  try {
    const { models, sql } = sdk as unknown as {
      readonly models: { readonly Note: { observe(...given: readonly unknown[]): unknown } }
      readonly sql: { observe(...given: readonly unknown[]): unknown }
    }
    const refused = expect.objectContaining({
      code: 'value_not_allowed',
      message: 'observe: expected a function as its last argument, got undefined.',
    })
    for (const call of [
      () => models.Note.observe({}),
      () => models.Note.observe(() => {}),
      () => sql.observe('SELECT 1', []),
    ])
      expect(call).toThrow(refused)
  } finally {
    await sdk.close()
  }
})
