import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type CommandLineDevice, commandLineDevice } from '../harness/device-process.js'
import { type LossyNetwork, lossyNetwork } from '../harness/lossy-network.js'
import { endAll } from '../harness/process.js'
import { startServer } from '../harness/server-process.js'
import { storesOf, temporaryFolder } from '../harness/stores.js'

interface Visit {
  readonly id: string
  readonly city: string
  readonly note: string
  readonly rating?: number
}

describe.each(storesOf('cities-and-visits'))('over $name', ({ address }) => {
  let folder: ReturnType<typeof temporaryFolder>
  let network: LossyNetwork

  beforeEach(async () => {
    folder = temporaryFolder()
    const server = await startServer({ store: await address(folder.path) })
    network = await lossyNetwork(server.url)
  })

  afterEach(async () => {
    await network.close()
    await endAll()
    folder.remove()
  })

  async function device(name: string, login: string): Promise<CommandLineDevice> {
    const made = commandLineDevice(join(folder.path, name), network.url)
    expect(await made.run('login', login, login)).toMatchObject({ code: 0 })
    return made
  }

  const visits = async (of: CommandLineDevice): Promise<readonly Visit[]> =>
    (await of.run<Visit[]>('visit', 'list')).value

  test('a device gets all cities, works offline, and its visits reach the other device of its user', async () => {
    const phone = await device('phone', 'ada')
    expect(await phone.run('sync')).toMatchObject({ code: 0, error: '' })
    const { models } = (await phone.run<{ models: { model: string; objects: number }[] }>('status')).value
    expect(models).toContainEqual(expect.objectContaining({ model: 'City', objects: 135_233 }))
    const [paris] = (
      await phone.run<{ name: string; country: string; population: number }[]>('find', 'Paris', '--country', 'FR')
    ).value
    expect(paris).toMatchObject({ name: 'Paris', country: 'FR' })

    network.cut(true)
    for (const note of ['first', 'second', 'third']) {
      expect(await phone.run('visit', 'add', '--city', 'Paris', '--note', note)).toMatchObject({ code: 0 })
    }
    const made = await visits(phone)
    const [first, second] = made as readonly [Visit, Visit, Visit]
    await phone.run('visit', 'edit', first.id, '--note', 'changed offline', '--rating', '5')
    await phone.run('visit', 'delete', second.id)
    expect(await phone.run('sync')).toMatchObject({ code: 3, error: expect.stringContaining('Offline') })
    expect((await visits(phone)).map(({ note }) => note)).toEqual(['changed offline', 'third'])

    network.cut(false)
    expect(await phone.run('sync')).toMatchObject({ code: 0 })
    const synced = await visits(phone)
    expect(synced).toEqual([
      expect.objectContaining({ city: 'Paris', note: 'changed offline', rating: 5 }),
      expect.objectContaining({ city: 'Paris', note: 'third' }),
    ])
    for (const { id } of synced) expect(made.map(visit => visit.id)).not.toContain(id)
    expect((await phone.run('changes')).value).toEqual([])

    const tablet = await device('tablet', 'ada')
    await tablet.run('sync')
    expect(new Set(await visits(tablet))).toEqual(new Set(synced))
    const other = await device('other', 'grace')
    await other.run('sync')
    expect(await visits(other)).toEqual([])
  }, 120_000)

  test('a refused visit is rolled back and listed, and delays nothing', async () => {
    const phone = await device('phone', 'ada')
    await phone.run('sync')
    await phone.run('visit', 'add', '--city', 'Rome', '--note', 'nine stars', '--rating', '9')
    await phone.run('visit', 'add', '--city', 'Rome', '--note', 'four stars', '--rating', '4')
    expect(await phone.run('sync')).toMatchObject({ code: 0 })
    expect(await visits(phone)).toEqual([expect.objectContaining({ note: 'four stars' })])
    expect((await phone.run('refused')).value).toEqual([
      expect.objectContaining({
        model: 'Visit',
        operation: 'create',
        status: 'refused',
        attributes: expect.objectContaining({ rating: 9 }),
      }),
    ])
  }, 120_000)
})
