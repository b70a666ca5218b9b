import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Outcome, QUERY_HEADER } from '@godwit/protocol'
import { afterEach, describe, expect, test } from '@jest/globals'
import { nodeFiles } from '../drivers/node-files.js'
import type { Records } from '../records/records.js'
import { FakeServer } from '../testing/fake-server.js'
import { definition, driveOn, type OpenedDevice, openOn, temporaryDirectories } from '../testing/open-device.js'

const directories = temporaryDirectories()
const opened: OpenedDevice[] = []
afterEach(async () => {
  for (const { sdk } of opened.splice(0)) await sdk.close()
  directories.removeAll()
})

/** A device that has pulled `a`, and a server whose next answer to a push is given; no pull gets through after it. */
async function start(passThrough: boolean) {
  const server = new FakeServer()
  const device = openOn(await driveOn('better-sqlite3', directories.make()), server, [
    definition('Visit', { passThrough }),
  ])
  opened.push(device)
  await device.sdk.login('ada', 'ada')
  server.write('Visit', { a: { note: 'old', other: 1 } })
  await device.sdk.sync()
  const answer = (outcome: Outcome) => {
    server.before = request => {
      if (request !== 'POST /app/v1/Visit') return undefined
      server.before = noNetwork
      return Response.json({ epoch: server.collection('Visit').epoch, outcomes: [outcome] })
    }
  }
  return { ...device, server, answer, visits: device.device.find('Visit') as Records }
}

const noNetwork = () => {
  throw new TypeError('no network')
}

describe('a write of the app stays visible once it is decided', () => {
  test('where the server keeps no content and returns none', async () => {
    const { sdk, server, answer, visits } = await start(true)
    const { object } = visits.insert({ note: 'new' })
    answer({ outcome: 1, number: 1, status: 'applied', version: 2, link: 'real', object })
    await sdk.sync().catch(() => {})
    expect(visits.get('real')?.attributes).toEqual({ note: 'new' })
    server.before = () => undefined
    visits.change('a', { note: 'mine' })
    answer({ outcome: 2, number: 2, status: 'applied', version: 3 })
    await sdk.sync().catch(() => {})
    expect(visits.get('a')?.attributes).toEqual({ note: 'mine', other: 1 })
  })

  test('where the server knows the change by another client id and an older base', async () => {
    const { sdk, server, answer, visits } = await start(false)
    visits.change('a', { note: 'mine' })
    server.before = request => (request.startsWith('POST /app/v1') ? noNetwork() : undefined)
    await sdk.sync().catch(() => {})
    server.clients.clear()
    answer({ outcome: 1, number: 1, status: 'applied', version: 2 })
    await sdk.sync().catch(() => {})
    expect(visits.hasChanges('a')).toBe(false)
    expect(visits.get('a')?.attributes).toEqual({ note: 'mine', other: 1 })
  })

  test.each([
    { loaded: 'before the change', version: 1, now: { note: 'mine', other: 1 } },
    { loaded: 'after the change, when another user had written it again', version: 4, now: { note: 'theirs' } },
  ])(
    'where the server knows the change by another client id, and the row was last loaded $loaded',
    async ({ version, now }) => {
      const { sdk, server, answer, visits } = await start(false)
      server.write('Visit', { b: { note: 'b' } })
      await sdk.sync()
      visits.change('a', { note: 'mine' })
      const without = (method: string) => (request: string) =>
        request.startsWith(`${method} /app/v1`) ? noNetwork() : undefined
      server.before = without('POST')
      await sdk.sync().catch(() => {})
      // The change was applied as version 3, but its outcome never arrived.
      server.write('Visit', { a: { note: 'mine', other: 1 } })
      if (version === 4) {
        server.write('Visit', { a: { note: 'theirs' } })
        server.before = () => undefined
        server.decide = () => ({ queue: true })
        await sdk.sync()
      }
      server.clients.clear()
      // Of the pass under the new client id, only the first page arrives.
      sdk.pageSize = 1
      let pages = 0
      server.before = request => (request.startsWith('GET /app/v1') && ++pages > 1 ? noNetwork() : undefined)
      await sdk.sync().catch(() => {})
      answer({ outcome: 1, number: 1, status: 'applied', version: 3 })
      await sdk.sync().catch(() => {})
      expect([pages, visits.hasChanges('a')]).toEqual([2, false])
      expect(visits.get('a')?.attributes).toEqual(now)
    },
  )
})

test('a delete during concurrent writes shows what the collection has, as its checksum counts it', async () => {
  const { sdk, answer, visits } = await start(false)
  visits.destroy('a')
  answer({ outcome: 1, number: 1, status: 'applied', version: 2, attributes: { note: 'theirs' } })
  await sdk.sync().catch(() => {})
  expect(visits.get('a')?.attributes).toEqual({ note: 'theirs' })
})

test('every accepted change is sent again until it is decided, where the server keeps no content', async () => {
  const { sdk, server, visits } = await start(true)
  server.decide = () => ({ queue: true })
  const made = ['one', 'two'].map(note => visits.insert({ note }).object)
  const first = await sdk.sync()
  const second = await sdk.sync()
  expect([first.sent, second.sent]).toEqual([2, 0])
  expect(server.pushes.at(-1)?.push.mutations).toMatchObject([
    { object: made[0], attributes: { note: 'one' }, sent: true },
    { object: made[1], attributes: { note: 'two' }, sent: true },
  ])
})

test('an update whose object was removed during the call shows no object', async () => {
  const { sdk, answer, visits } = await start(false)
  visits.change('a', { note: 'mine' })
  answer({ outcome: 1, number: 1, status: 'applied', version: 2, removed: true })
  await sdk.sync().catch(() => {})
  expect([visits.get('a'), visits.hasChanges('a')]).toEqual([undefined, false])
})

test('an outcome older than a full pass never restores what was removed before that pass', async () => {
  const { sdk, server, visits } = await start(false)
  visits.change('a', { note: 'mine' })
  server.decide = () => ({ queue: true })
  await sdk.sync()
  server.decideQueued('Visit')
  server.write('Visit', { a: null })
  server.nonce = 'another'
  // The outcome is left for the page after the pass.
  server.outcomesAPage = 0
  sdk.pageSize = 2
  server.after = request => {
    if (request === 'GET /app/v1/Visit') server.outcomesAPage = 1
  }
  await sdk.sync()
  expect(visits.get('a')).toBeUndefined()
  expect(visits.hasChanges('a')).toBe(false)
})

test('a photo that the app wrote is shown though its object became one with another that it made', async () => {
  const server = new FakeServer()
  const directory = directories.make()
  const fetch: FakeServer['fetch'] = (input, init) => {
    if (!String(input).endsWith('/blobs')) return server.fetch(input, init)
    const size = Number(new URLSearchParams(new Headers(init?.headers).get(QUERY_HEADER) ?? '').get('size'))
    return Promise.resolve(Response.json({ received: size, complete: true }))
  }
  const drive = await driveOn('better-sqlite3', directory)
  const models = [definition('Visit', { attributes: { photo: 'Blob' } })]
  const { sdk, device, ...others } = openOn(drive, { fetch }, models, { files: nodeFiles(directory) })
  opened.push({ sdk, device, ...others })
  const visits = device.find('Visit') as Records
  const photo = (text: string): string => {
    writeFileSync(join(directory, text), text)
    return join(directory, text)
  }
  const displayed = (object: string): string => readFileSync(String(visits.get(object)?.attributes['photo']), 'utf8')
  await sdk.login('ada', 'ada')
  await sdk.sync()
  server.decide = ({ operation }) => (operation === 'create' ? { link: 'real' } : {})
  visits.insert({ photo: photo('first') })
  await sdk.sync()
  const { object } = visits.insert({ photo: photo('second') })
  server.decide = ({ operation }) => (operation === 'create' ? { link: 'real' } : { queue: true })
  server.after = request => {
    if (request !== 'POST /app/v1/Visit') return
    server.after = () => {}
    visits.change(object, { photo: photo('third') })
  }
  await sdk.sync()
  expect([visits.hasChanges('real'), displayed('real')]).toEqual([true, 'third'])
})

describe('a refused change of a removed object lists all values that the object last had', () => {
  const GONE = { status: 'gone', error: { code: 'gone', message: 'It was removed.' } } as const

  test.each([
    ['before the page that removes it', false],
    ['after the page that removed it', true],
  ])('when the outcome arrives %s', async (_, isRemoved) => {
    const { sdk, device, server, answer, visits } = await start(false)
    visits.change('a', { note: 'mine' })
    if (isRemoved) {
      server.write('Visit', { a: null })
      server.before = request => (request === 'POST /app/v1/Visit' ? noNetwork() : undefined)
      await sdk.sync().catch(() => {})
    }
    answer({ outcome: 1, number: 1, version: 2, ...GONE })
    await sdk.sync().catch(() => {})
    expect(device.refused('Visit')).toMatchObject([
      { status: 'gone', attributes: { note: 'mine' }, was: { note: 'old', other: 1 } },
    ])
  })
})
