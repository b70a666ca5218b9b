import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { CLIENT_ID_HEADER, type ClientCreated, type Page as DevicePull, type DeviceSession } from '@godwit/protocol'
import { partOf, redisIsThere } from '@godwit/testing'
import { afterAll, afterEach, describe, expect, test } from '@jest/globals'
import { endAll } from '../harness/process.js'
import { type ServerProcess, startServer } from '../harness/server-process.js'
import { STORES, temporaryFolder } from '../harness/stores.js'
import { JSON_TYPE, read } from './world.js'

const MiB = 1024 * 1024
/** Bytes of rows in a page, and what else a page has. */
const PAGE_BYTES = MiB
const AROUND_ROWS = 300_000

/** Sources: many small objects, some large ones, a few that are larger than a page. */
const SHAPES = [
  { objects: 10_000, bytes: 10 * 1024 },
  { objects: 400, bytes: 300_000 },
  { objects: 40, bytes: 2_000_000 },
] as const

if (!redisIsThere()) test.skip('large pages over Redis need a redis-server', () => undefined)

const folder = temporaryFolder()
afterEach(endAll, 60_000)
afterAll(() => folder.remove())

/** The heap of a server with 256 MiB of memory, whose objects are on a disk or in Redis: old and young generation in MiB. */
const SMALL_HEAP = '--max-old-space-size=64 --max-semi-space-size=4'

/** Starts a server of these objects; the first pull fills its source. */
const serverOf = async (
  { objects, bytes }: (typeof SHAPES)[number],
  { address }: (typeof STORES)[number],
  options?: string,
): Promise<ServerProcess> =>
  startServer({
    store: await address(join(folder.path, `${objects}`)),
    config: 'large-objects.mjs',
    environment: {
      OBJECTS: `${objects}`,
      OBJECT_BYTES: `${bytes}`,
      ...(options !== undefined && { NODE_OPTIONS: options }),
    },
  })

/** The most memory that a process ever had, in bytes. */
const peakOf = ({ child }: ServerProcess): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) * 1024

/** Signs in a device. */
async function signIn(url: string, login: string) {
  const post = (path: string, body: object, headers = {}) =>
    fetch(url + path, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) })
  const { session } = await read<DeviceSession>(await post('/rc/v1/app/login', { login, password: login }))
  const bearer = { authorization: `Bearer ${session}` }
  const { client } = await read<ClientCreated>(await post('/rc/v1/clients', {}, bearer))
  return { ...bearer, [CLIENT_ID_HEADER]: client.client_id }
}

/** Signs in a device; returns what pulls its next page, from the beginning on. */
async function deviceOf(url: string, login = 'ada') {
  const headers = await signIn(url, login)
  let position = ''
  return async () => {
    const query = new URLSearchParams({ p_size: '10000', ...(position && { token: position }) })
    const answer = await fetch(`${url}/app/v1/Note?${query}`, { headers })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${answer.status} ${text.slice(0, 500)}`)
    const page = JSON.parse(text) as DevicePull
    position = page.token
    return { rows: Object.keys(page.insert ?? {}).length, more: page.more, bytes: Buffer.byteLength(text) }
  }
}

describe.each(STORES)('over $name', store => {
  test.each(partOf(SHAPES, SHAPES.length))(
    '$objects objects of $bytes bytes arrive at 64 devices in pages of a mebibyte, or one row',
    async shape => {
      const filling = await serverOf(shape, store)
      const pull = await deviceOf(filling.url)
      let received = 0
      for (let isMore = true; isMore; ) {
        const { rows, more, bytes } = await pull()
        expect(bytes < PAGE_BYTES + AROUND_ROWS || rows === 1).toBe(true)
        received += rows
        isMore = more
      }
      expect(received).toBe(shape.objects)
      if (store.name === 'memory') return
      await filling.kill('SIGTERM')

      const server = await serverOf(shape, store, SMALL_HEAP)
      const devices = await Promise.all(Array.from({ length: 64 }, (_, at) => deviceOf(server.url, `user ${at % 8}`)))
      for (let round = 0; round < 5; round++) await Promise.all(devices.map(next => next()))
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
      expect(peakOf(server)).toBeLessThan(256 * MiB)
    },
    300_000,
  )
})

/** Requests that a reader sends without reading an answer. */
const PIPELINED = 12

test('readers that take nothing of their pages cost little memory and delay no other user', async () => {
  const [, sqlite] = STORES
  const [, large] = SHAPES
  const filling = await serverOf(large, sqlite as (typeof STORES)[number])
  await (await deviceOf(filling.url))()
  await filling.kill('SIGTERM')

  const server = await serverOf(large, sqlite as (typeof STORES)[number], SMALL_HEAP)
  const { port } = new URL(server.url)
  const headers = Object.entries(await signIn(server.url, 'mallory'))
  const request = `GET /app/v1/Note?p_size=10000 HTTP/1.1\r\nhost: localhost\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
  const readers = Array.from({ length: 100 }, () => connect({ port: Number(port), host: '127.0.0.1' }).pause())
  for (const reader of readers) reader.on('error', () => undefined).write(request.repeat(PIPELINED))
  const pull = await deviceOf(server.url, 'grace')
  for (let page = 0; page < 20; page++) expect((await pull()).rows).toBe(3)
  // The system takes some megabytes for each connection; what is beyond waits in the server.
  for (let before = 0, now = peakOf(server); now > before; now = peakOf(server)) {
    before = now
    expect(now).toBeLessThan(256 * MiB)
    await setTimeout(1500)
  }
  for (const reader of readers) reader.destroy()
}, 120_000)
