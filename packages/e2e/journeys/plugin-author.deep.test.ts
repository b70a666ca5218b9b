import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AdminClient, type Attributes, type Fetch } from '@godwit/admin-client'
import { defineModel, t } from '@godwit/model'
import { openSdk } from '@godwit/model/node'
import { expect, test } from '@jest/globals'
import { folderPerTest } from '../harness/folder-per-test.js'
import { ADMIN_PASSWORD, startServer } from '../harness/server-process.js'
import { storesOf } from '../harness/stores.js'

const COUNT = 100_000
const City = defineModel('City', {
  partition: 'app',
  sync: 'incremental',
  attributes: { name: t.string(), population: t.integer() },
})
const Visit = defineModel('Visit', { sync: 'incremental', attributes: { note: t.string() } })

const folder = folderPerTest()

/** Writes a file with one city per line. */
async function writeCities(path: string): Promise<void> {
  const lines = function* () {
    for (let id = 0; id < COUNT; id++) yield `${JSON.stringify({ id: `${id}`, name: `City ${id}`, population: id })}\n`
  }
  await pipeline(Readable.from(lines()), createWriteStream(path))
}

async function* citiesOf(path: string) {
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const { id, ...attributes } = JSON.parse(line) as Attributes & { readonly id: string }
    yield [id, attributes] as const
  }
}

/** Returns a `fetch` that records the number of requests and the length of the longest body. */
function measured(): { readonly fetch: Fetch; longest(): number; requests(): number } {
  let [longest, requests] = [0, 0]
  return {
    fetch(url, request) {
      requests++
      longest = Math.max(longest, String(request.body ?? '').length)
      return fetch(url, request)
    },
    longest: () => longest,
    requests: () => requests,
  }
}

test.each(storesOf('plugin-author'))(
  'a plugin author fills a source and manages a user by the admin client, over $name',
  async ({ address }) => {
    const { url } = await startServer({ store: await address(folder.path), config: 'pushed-cities.mjs' })
    const network = measured()
    const admin = await AdminClient.login({ url, login: 'admin', password: ADMIN_PASSWORD, fetch: network.fetch })
    await admin.users.create({ login: 'eve', password: 'a long one', team: 'north' })

    const device = await openSdk({ directory: join(folder.path, 'device'), server: url, models: { City, Visit } })
    device.pollInterval = 0
    await device.login('eve', 'a long one')
    await device.sync()
    expect(device.models.City.count()).toBe(0)

    const path = join(folder.path, 'cities.ndjson')
    await writeCities(path)
    const progress: number[] = []
    const written = await admin.push.objects('City', '*', citiesOf(path), { onProgress: sent => progress.push(sent) })
    expect(written).toMatchObject({ changed: COUNT, count: COUNT })
    expect([progress.length, progress.at(-1), progress[0]]).toEqual([COUNT / 1000, COUNT, 1000])
    expect([network.longest() < 200_000, network.requests() < COUNT / 1000 + 10]).toEqual([true, true])

    await device.sync()
    expect(device.models.City.count()).toBe(COUNT)
    expect(device.models.City.find({ order: { population: 'desc' }, limit: 1 })).toMatchObject([{ name: 'City 99999' }])

    await admin.push.objects('City', '*', { 7: { name: 'Riga' } })
    await admin.push.deletes('City', '*', ['8', '9'])
    await admin.push.objects('Visit', 'eve', { 1: { note: 'her own' } })
    const { sources } = await device.sync()
    expect(sources.find(({ source }) => source === 'City')).toMatchObject({ received: 3 })
    expect([device.models.City.get('7')?.name, device.models.City.get('8')]).toEqual(['Riga', undefined])

    expect(await admin.users.readDocument('*', 'City', 'md_size')).toBe(`${COUNT - 2}`)
    expect(await admin.users.readDocument('eve', 'Visit', 'md')).toEqual({ 1: { note: 'her own' } })
    const [client = ''] = await admin.users.clients('eve')
    expect(await admin.clients.get(client)).toMatchObject({ user: 'eve', last_sync: expect.any(String) })
    const explanation = await admin.operations.explain({ source: 'City', user: 'eve', object: '8' })
    expect(explanation.findings.map(({ code }) => code)).toContain('object_removed')

    await admin.users.delete('eve')
    await expect(admin.users.get('eve')).rejects.toMatchObject({ code: 'user_not_found' })
    await expect(device.sync()).rejects.toMatchObject({ code: 'logged_out' })
    await device.close()
  },
  240_000,
)
