import { join } from 'node:path'
import { defineModel, t } from '@godwit/model'
import { openSdk } from '@godwit/model/node'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { endAll } from '../harness/process.js'
import { type ServerProcess, startServer } from '../harness/server-process.js'
import { STORES, temporaryFolder } from '../harness/stores.js'

const attributes = { note: t.string(), other: t.string() }
const model = <const Name extends string>(name: Name) => defineModel(name, { sync: 'incremental', attributes })
const models = { ClientWins: model('ClientWins'), Mine: model('Mine') }
type Policy = keyof typeof models

describe.each(STORES)('over $name, of two devices that edit one note', ({ address }) => {
  let folder: ReturnType<typeof temporaryFolder>
  let server: ServerProcess

  beforeEach(async () => {
    folder = temporaryFolder()
    server = await startServer({ store: await address(folder.path), config: 'policies.mjs' })
  })

  afterEach(async () => {
    await endAll()
    folder.remove()
  })

  async function device(name: string) {
    const sdk = await openSdk({ directory: join(folder.path, name), server: server.url, models })
    sdk.pollInterval = 0
    await sdk.login('ada', 'ada')
    return sdk
  }

  test.each(['ClientWins', 'Mine'] as Policy[])(
    'the later one learns what it replaced, and restores it, under %s',
    async policy => {
      const first = await device('first')
      let second = await device('second')
      first.models[policy].create({ note: 'start', other: 'start' })
      await first.sync()
      await second.sync()
      const [id = ''] = second.models[policy].find().map(row => row.id)
      first.models[policy].update(id, { note: 'first' })
      second.models[policy].update(id, { note: 'second', other: 'second' })
      await first.sync()
      await second.sync()
      expect([first.overwritten(), first.refused(), second.refused()]).toEqual([[], [], []])
      await second.close()

      second = await device('second')
      expect(second.overwritten()).toMatchObject([
        { model: policy, object: id, operation: 'update', overwrote: { note: 'first' } },
      ])
      expect(second.models[policy].get(id)).toMatchObject({ note: 'second', other: 'second' })
      second.overwritten()[0]?.restore()
      await second.sync()
      await first.sync()
      for (const sdk of [first, second]) {
        expect(sdk.models[policy].get(id)).toMatchObject({ note: 'first', other: 'second' })
        expect([sdk.overwritten(), sdk.refused(), sdk.changes()]).toEqual([[], [], []])
      }
      await Promise.all([first.close(), second.close()])
    },
  )

  test('a delete of what the other has changed can be taken back', async () => {
    const [first, second] = [await device('first'), await device('second')]
    first.models.ClientWins.create({ note: 'start', other: 'start' })
    await first.sync()
    await second.sync()
    const [id = ''] = second.models.ClientWins.find().map(row => row.id)
    first.models.ClientWins.update(id, { note: 'first' })
    second.models.ClientWins.destroy(id)
    await first.sync()
    await second.sync()
    expect(second.overwritten()).toMatchObject([{ operation: 'delete', overwrote: { note: 'first', other: 'start' } }])
    second.overwritten()[0]?.restore()
    await second.sync()
    await first.sync()
    expect(first.models.ClientWins.find()).toMatchObject([{ note: 'first', other: 'start' }])
    await Promise.all([first.close(), second.close()])
  })
})
