import { join } from 'node:path'
import { defineModel, t } from '@godwit/model'
import { openSdk } from '@godwit/model/node'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { endAll } from '../harness/process.js'
import { type ServerProcess, startServer } from '../harness/server-process.js'
import { storesOf, temporaryFolder } from '../harness/stores.js'

const attributes = { note: t.string(), other: t.string() }
const model = <const Name extends string>(name: Name) => defineModel(name, { sync: 'incremental', attributes })
const models = {
  ClientWins: model('ClientWins'),
  ServerWins: model('ServerWins'),
  Reject: model('Reject'),
  Resolve: model('Resolve'),
}
type Policy = keyof typeof models

/** Expected rows of both devices after the second one has pushed, and the refusals that it receives, by policy. */
const EXPECTED: Record<Policy, { readonly row: object; readonly refused: readonly string[] }> = {
  ClientWins: { row: { note: 'second', other: 'second' }, refused: [] },
  ServerWins: { row: { note: 'first', other: 'second' }, refused: [] },
  Reject: { row: { note: 'first', other: 'start' }, refused: ['conflict'] },
  Resolve: { row: { note: 'first and second', other: 'start' }, refused: [] },
}

describe.each(storesOf('policies'))('over $name', ({ address }) => {
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

  test.each(Object.keys(EXPECTED) as Policy[])(
    'two devices that changed one attribute agree under %s',
    async policy => {
      const [first, second] = [await device('first'), await device('second')]
      first.models[policy].create({ note: 'start', other: 'start' })
      await first.sync()
      await second.sync()
      const [id = ''] = second.models[policy].find().map(row => row.id)
      first.models[policy].update(id, { note: 'first' })
      second.models[policy].update(id, { note: 'second', other: 'second' })
      await first.sync()
      await second.sync()
      await first.sync()
      for (const sdk of [first, second]) {
        expect(sdk.models[policy].find()).toEqual([{ id, ...EXPECTED[policy].row }])
        expect(sdk.changes()).toEqual([])
      }
      expect(second.refused().map(({ status }) => status)).toEqual(EXPECTED[policy].refused)
      await Promise.all([first.close(), second.close()])
    },
  )
})
