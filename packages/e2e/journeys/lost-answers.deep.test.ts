import { join } from 'node:path'
import { defineModel, t } from '@godwit/model'
import { openSdk } from '@godwit/model/node'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type LossyNetwork, lossyNetwork } from '../harness/lossy-network.js'
import { endAll } from '../harness/process.js'
import { startServer } from '../harness/server-process.js'
import { storesOf, temporaryFolder } from '../harness/stores.js'

const ClientWins = defineModel('ClientWins', { sync: 'incremental', attributes: { note: t.string() } })

/** Every kind of request that a device makes. */
const ANSWERS: readonly (readonly [name: string, matches: (method: string, path: string) => boolean])[] = [
  ['the client', (method, path) => method === 'POST' && path === '/rc/v1/clients'],
  ['a push', (method, path) => method === 'POST' && path.startsWith('/app/v1/')],
  ['a pull', (method, path) => method === 'GET' && path.startsWith('/app/v1/')],
]

describe.each(storesOf('lost-answers'))('over $name', ({ address }) => {
  let folder: ReturnType<typeof temporaryFolder>
  let network: LossyNetwork

  beforeEach(async () => {
    folder = temporaryFolder()
    const server = await startServer({ store: await address(folder.path), config: 'policies.mjs' })
    network = await lossyNetwork(server.url)
  })

  afterEach(async () => {
    await network.close()
    await endAll()
    folder.remove()
  })

  async function device(name: string) {
    const sdk = await openSdk({ directory: join(folder.path, name), server: network.url, models: { ClientWins } })
    sdk.pollInterval = 0
    sdk.pageSize = 2
    await sdk.login('ada', 'ada')
    return sdk
  }
  type Device = Awaited<ReturnType<typeof device>>

  /** Syncs until nothing is unsent; failed syncs are ignored, since only the final state matters. */
  async function syncUntilDone(sdk: Device): Promise<void> {
    for (let turn = 0; turn < 5; turn++) {
      const summary = await sdk.sync().catch(() => undefined)
      if (summary?.sources.every(({ error }) => error === undefined) && sdk.changes().length === 0) return
    }
    throw new Error('The device does not get done.')
  }

  test.each(ANSWERS)('losing the answer to %s loses and duplicates nothing', async (_, matches) => {
    const [phone, tablet] = [await device('phone'), await device('tablet')]
    for (let turn = 0; turn < 3; turn++) {
      for (const note of ['a', 'b', 'c']) phone.models.ClientWins.create({ note: `${note}${turn}` })
      const [oldest] = phone.models.ClientWins.find()
      if (turn > 0 && oldest !== undefined) phone.models.ClientWins.update(oldest.id, { note: `changed ${turn}` })
      network.lose(matches, 1)
      await syncUntilDone(phone)
      network.lose(matches, 1)
      await syncUntilDone(tablet)
    }
    expect(network.lost).toBeGreaterThan(0)
    const notes = phone.models.ClientWins.find().map(({ note }) => note)
    expect([...notes].sort()).toEqual(['a1', 'a2', 'b0', 'b1', 'b2', 'c0', 'c1', 'c2', 'changed 2'])
    expect(new Set(tablet.models.ClientWins.find())).toEqual(new Set(phone.models.ClientWins.find()))
    await Promise.all([phone.close(), tablet.close()])
  })
})
