import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { QUERY_HEADER } from '@godwit/protocol'
import { afterEach, describe, expect, test } from '@jest/globals'
import { nodeFiles } from '../drivers/node-files.js'
import type { SdkEvent } from '../events/sdk-events.js'
import { EVERYTHING } from '../query/query-tree.js'
import { FakeServer } from '../testing/fake-server.js'
import { ManualTimers } from '../testing/manual-timers.js'
import { definition, driveOn, openOn, temporaryDirectories } from '../testing/open-device.js'

const directories = temporaryDirectories()
afterEach(() => directories.removeAll())

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const quotaExceeded = (limit: string, retryAfter: number): Response =>
  new Response(
    JSON.stringify({ status: 429, code: 'quota_exceeded', detail: `The limit ${limit} is reached.`, limit }),
    {
      status: 429,
      headers: { 'content-type': 'application/problem+json', 'retry-after': String(retryAfter) },
    },
  )
const settled = () => new Promise(resolve => setTimeout(resolve, 20))

/** A device, and a server with room for a number of blobs that no accepted change names. */
async function open({ room = Number.POSITIVE_INFINITY } = {}) {
  const server = new FakeServer()
  const directory = directories.make()
  const unnamed = new Set<string>()
  const fetch: FakeServer['fetch'] = async (input, init) => {
    const url = new URL(String(input))
    if (url.pathname !== '/app/v1/Photo/blobs') return server.fetch(input, init)
    server.requests.push(`${init?.method} ${url.pathname}`)
    const facts = new URLSearchParams(new Headers(init?.headers).get(QUERY_HEADER) ?? '')
    const hash = facts.get('hash') as string
    if (!unnamed.has(hash) && unnamed.size >= room) return quotaExceeded('unnamedBlobBytes', 60)
    unnamed.add(hash)
    const size = Number(facts.get('size'))
    return Response.json({ hash, size, received: size, complete: true })
  }
  server.decide = ({ attributes }) => {
    unnamed.delete(String(attributes?.['photo']))
    return {}
  }
  const timers = new ManualTimers()
  const definitions = [definition('Photo', { attributes: { photo: 'Blob', note: 'String' } }), definition('Visit')]
  const device = openOn(await driveOn('better-sqlite3', directory), { fetch }, definitions, {
    files: nodeFiles(directory),
    timers,
  })
  const heard: SdkEvent[] = []
  device.parts.events.listen(event => heard.push(event))
  const errors = () => heard.flatMap(event => (event.kind === 'error' ? [event.error.code] : []))
  const take = (content: string): string => {
    const path = join(directory, `${content}.txt`)
    writeFileSync(path, content)
    return pathToFileURL(path).href
  }
  const records = (name: string) => {
    const found = device.device.find(name)
    if (found === undefined) throw new Error(`There is no model ${name}.`)
    return found
  }
  const requested = (request: string) => server.requests.filter(one => one === request).length
  return { ...device, server, unnamed, timers, heard, errors, take, records, requested }
}

describe('a device that hears quota_exceeded', () => {
  test('sends changes whose blobs the server has, which frees quota for others', async () => {
    const { sdk, server, records, take, requested } = await open({ room: 2 })
    await sdk.login('ada', 'ada')
    await sdk.sync()
    for (const n of [1, 2, 3, 4, 5]) records('Photo').insert({ photo: take(`photo ${n}`) })
    records('Photo').insert({ note: 'without a photo' })
    const { sources } = await sdk.sync()
    expect(sources.find(({ source }) => source === 'Photo')).toEqual({ source: 'Photo', received: 6, sent: 6 })
    const photos = Object.values(server.live('Photo')).map(({ photo }) => photo)
    expect(photos).toEqual(expect.arrayContaining([1, 2, 3, 4, 5].map(n => sha256(`photo ${n}`))))
    expect(requested('POST /app/v1/Photo/blobs')).toBeLessThanOrEqual(8)
    await sdk.close()
  })

  test('keeps and reports what exceeds the quota, syncs the rest, and waits for Retry-After', async () => {
    const { sdk, server, records, take, requested, unnamed, errors, timers } = await open({ room: 1 })
    await sdk.login('ada', 'ada')
    await sdk.sync()
    unnamed.add('of another device')
    records('Photo').insert({ photo: take('mine') })
    records('Photo').insert({ note: 'without a photo' })
    records('Visit').insert({ note: 'elsewhere' })
    server.write('Photo', { theirs: { note: 'theirs' } })
    const { sources } = await sdk.sync()
    const message = 'The limit unnamedBlobBytes is reached.'
    expect(sources.find(({ source }) => source === 'Photo')).toEqual({
      ...{ source: 'Photo', received: 2, sent: 1 },
      error: { code: 'quota_exceeded', message, retryAfter: 60 },
    })
    expect(sources.find(({ source }) => source === 'Visit')).toMatchObject({ sent: 1 })
    expect(errors()).toEqual(['quota_exceeded'])
    expect(records('Photo').count(EVERYTHING)).toBe(3)
    expect(sdk.changes()).toHaveLength(1)
    const before = requested('POST /app/v1/Photo/blobs')
    timers.pass(59_000)
    await settled()
    expect(requested('POST /app/v1/Photo/blobs')).toBe(before)
    unnamed.clear()
    timers.pass(2_000)
    await settled()
    expect([sdk.changes().length, Object.keys(server.live('Photo')).length]).toEqual([0, 3])
    await sdk.close()
  })

  test('for outcomes of numbers from before takes a new client id, as no page may acknowledge them', async () => {
    const { sdk, device, server, records, requested } = await open()
    await sdk.login('ada', 'ada')
    await sdk.sync()
    const before = device.clientId()
    records('Visit').insert({ note: 'mine' }, 'v')
    server.before = request =>
      request === 'POST /app/v1/Visit' && device.clientId() === before
        ? quotaExceeded('outcomesPerClient', 1)
        : undefined
    const { sources } = await sdk.sync()
    expect(sources.find(({ source }) => source === 'Visit')).toMatchObject({ sent: 1 })
    expect([requested('POST /app/v1/Visit'), device.clientId() === before]).toEqual([2, false])
    expect(server.live('Visit')).toEqual({ v: { note: 'mine' } })
    await sdk.close()
  })

  test('for its pushes waits, and still pulls', async () => {
    const { sdk, server, records, requested, errors, timers } = await open()
    await sdk.login('ada', 'ada')
    await sdk.sync()
    records('Visit').insert({ note: 'mine' })
    server.write('Visit', { theirs: { note: 'theirs' } })
    server.before = request => (request === 'POST /app/v1/Visit' ? quotaExceeded('pushesPerUser', 30) : undefined)
    const { sources } = await sdk.sync()
    expect(sources.find(({ source }) => source === 'Visit')).toMatchObject({
      received: 1,
      error: { code: 'quota_exceeded', retryAfter: 30 },
    })
    expect([requested('POST /app/v1/Visit'), errors()]).toEqual([1, ['quota_exceeded']])
    server.before = () => undefined
    timers.pass(29_000)
    await settled()
    expect(requested('POST /app/v1/Visit')).toBe(1)
    timers.pass(2_000)
    await settled()
    expect([sdk.changes().length, Object.keys(server.live('Visit')).length]).toEqual([0, 2])
    await sdk.close()
  })

  test('for unacknowledged outcomes pulls them, and pushes again', async () => {
    const { sdk, server, records, requested, errors } = await open()
    await sdk.login('ada', 'ada')
    await sdk.sync()
    records('Visit').insert({ note: 'mine' })
    let pulls = requested('GET /app/v1/Visit')
    server.before = request => {
      if (request === 'GET /app/v1/Visit') pulls++
      return request === 'POST /app/v1/Visit' && pulls < 2 ? quotaExceeded('outcomesPerClient', 1) : undefined
    }
    await sdk.sync()
    expect([sdk.changes().length, requested('POST /app/v1/Visit'), errors()]).toEqual([0, 2, []])
    await sdk.close()
  })

  test('for its client keeps all data, reports it, and retries after the wait', async () => {
    const { sdk, server, records, requested, errors, timers } = await open()
    records('Visit').insert({ note: 'mine' })
    server.before = request => (request === 'POST /rc/v1/clients' ? quotaExceeded('clientsPerUser', 3600) : undefined)
    await sdk.login('ada', 'ada')
    timers.pass(0)
    await settled()
    expect(errors()).toEqual(['quota_exceeded'])
    await expect(sdk.sync()).rejects.toMatchObject({ code: 'quota_exceeded' })
    expect([requested('POST /rc/v1/clients'), sdk.changes().length]).toEqual([2, 1])
    expect(errors()).toEqual(['quota_exceeded', 'quota_exceeded'])
    timers.pass(3_500_000)
    await settled()
    expect(requested('POST /rc/v1/clients')).toBe(2)
    server.before = () => undefined
    timers.pass(200_000)
    await settled()
    expect([sdk.changes().length, Object.keys(server.live('Visit')).length]).toEqual([0, 1])
    await sdk.close()
  })

  test('for its stream reopens it after the wait, and syncs meanwhile', async () => {
    const { sdk, server, requested } = await open()
    await sdk.login('ada', 'ada')
    server.before = request =>
      request === 'GET /rc/v1/app/events' ? quotaExceeded('streamsPerClient', 3600) : undefined
    await sdk.sync()
    await settled()
    expect(requested('GET /rc/v1/app/events')).toBeLessThanOrEqual(1)
    expect((await sdk.sync()).sources.every(({ error }) => error === undefined)).toBe(true)
    await sdk.close()
  })
})
