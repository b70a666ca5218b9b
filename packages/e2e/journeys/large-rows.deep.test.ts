import { join } from 'node:path'
import { defineModel, t } from '@godwit/model'
import { openSdk } from '@godwit/model/node'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { endAll } from '../harness/process.js'
import { type ServerProcess, startServer } from '../harness/server-process.js'
import { STORES, temporaryFolder } from '../harness/stores.js'

const attributes = { text: t.string(), title: t.string() }
const model = <const Name extends string>(name: Name) => defineModel(name, { sync: 'incremental', attributes })
const models = { Reject: model('Reject'), Resolve: model('Resolve') }
type Policy = keyof typeof models
const POLICIES = Object.keys(models) as Policy[]

describe.each(STORES)('over $name, rows of 1.5 MB', ({ address }) => {
  let folder: ReturnType<typeof temporaryFolder>
  let server: ServerProcess

  beforeEach(async () => {
    folder = temporaryFolder()
    server = await startServer({ store: await address(folder.path), config: 'large-notes.mjs' })
  })

  afterEach(async () => {
    await endAll()
    folder.remove()
  })

  async function device(name: string) {
    const sdk = await openSdk({ directory: join(folder.path, name), server: server.url, models })
    sdk.pollInterval = 0
    await sdk.login('ada', 'ada')
    await sdk.sync()
    return sdk
  }

  test.each(POLICIES)('from the backend are made smaller and deleted by a device under %s', async policy => {
    const [first, second] = [await device('first'), await device('second')]
    expect(first.models[policy].get('go')?.text.length).toBe(1_500_000)
    first.models[policy].update('cut', { text: 'short' })
    first.models[policy].destroy('go')
    await first.sync()
    await second.sync()
    for (const sdk of [first, second]) {
      expect([sdk.changes(), sdk.refused()]).toEqual([[], []])
      expect(sdk.models[policy].get('go')).toBeUndefined()
      expect(sdk.models[policy].get('cut')).toMatchObject({ text: 'short' })
    }
    await Promise.all([first.close(), second.close()])
  })

  test.each(POLICIES)('that another device changed meanwhile are a conflict under %s', async policy => {
    const [first, second] = [await device('first'), await device('second')]
    first.models[policy].update('stale', { text: 'theirs' })
    second.models[policy].update('stale', { text: 'mine' })
    await first.sync()
    await second.sync()
    const { text, title } = second.models[policy].get('stale') ?? {}
    const expected = policy === 'Resolve' ? 'unknown: text' : 'stale'
    expect({ text, title }).toEqual({ text: 'theirs', title: expected })
    expect(second.refused().map(({ status }) => status)).toEqual(policy === 'Resolve' ? [] : ['conflict'])
    await Promise.all([first.close(), second.close()])
  })
})
