import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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

/** Starts a server with a heap of at most 256 MiB; the first pull fills its source. */
async function serverOf(
  { objects, bytes }: (typeof SHAPES)[number],
  { address }: (typeof STORES)[number],
): Promise<ServerProcess> {
  return startServer({
    store: await address(join(folder.path, `${objects}`)),
    config: 'large-objects.mjs',
    environment: {
      OBJECTS: `${objects}`,
      OBJECT_BYTES: `${bytes}`,
      NODE_OPTIONS: '--max-old-space-size=256',
    },
  })
}

/** The most memory that a process ever had, in bytes. */
const peakOf = ({ child }: ServerProcess): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) * 1024

/** Signs in a device; returns what pulls its next page, from the beginning on. */
async function deviceOf(url: string, login = 'ada') {
  const post = (path: string, body: object, headers = {}) =>
    fetch(url + path, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) })
  const { session } = await read<DeviceSession>(await post('/rc/v1/app/login', { login, password: login }))
  const bearer = { authorization: `Bearer ${session}` }
  const { client } = await read<ClientCreated>(await post('/rc/v1/clients', {}, bearer))
  const headers = { ...bearer, [CLIENT_ID_HEADER]: client.client_id }
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
    '$objects objects of $bytes bytes arrive in pages of at most a mebibyte, or one row',
    async shape => {
      const server = await serverOf(shape, store)
      const pull = await deviceOf(server.url)
      let received = 0
      for (let isMore = true; isMore; ) {
        const { rows, more, bytes } = await pull()
        expect(bytes < PAGE_BYTES + AROUND_ROWS || rows === 1).toBe(true)
        received += rows
        isMore = more
      }
      expect(received).toBe(shape.objects)

      const devices = await Promise.all(Array.from({ length: 64 }, (_, at) => deviceOf(server.url, `user ${at % 8}`)))
      for (let round = 0; round < 3; round++) await Promise.all(devices.map(next => next()))
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
      expect(peakOf(server)).toBeLessThan(512 * MiB)
    },
    300_000,
  )
})
