import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Attributes, ClientCreated, DeviceSession, Page } from '@godwit/protocol'
import { createSyncServer, defineSource } from '@godwit/server'
import { openSqliteStore, type SqliteStore } from '@godwit/store-sqlite'
import { afterEach, describe, expect, test } from '@jest/globals'
import { FILLER, fill, isPossible, smallDisks } from '../harness/small-disk.js'

const disks = smallDisks()
const cleanups: (() => unknown)[] = []

afterEach(cleanUp)

async function cleanUp(): Promise<void> {
  for (const clean of cleanups.splice(0).reverse()) await clean()
  disks.removeAll()
}

if (!isPossible)
  process.stderr.write('Journeys on a full disk are skipped: they mount a small one, as root on Linux.\n')
const describeHere = isPossible ? describe : describe.skip

async function open(folder: string) {
  const store = await openSqliteStore(join(folder, 'store.sqlite'))
  const made: Record<string, Attributes> = {}
  for (let id = 0; id < 50; id++) made[id] = { text: 'x'.repeat(500) }
  const Note = defineSource<Attributes>({
    name: 'Note',
    pollInterval: 0,
    query: () => made,
    create: given => {
      made['large'] = given
    },
  })
  const users = [{ login: 'ada', password: 'ada' }]
  const limits = { passwordCost: 16, positionInterval: 0 }
  const server = createSyncServer({ store, sources: [Note], users, limits })
  cleanups.push(async () => {
    await server.close()
    await store.close().catch(() => undefined)
  })
  const call = (path: string, init: RequestInit = {}) => server.fetch(new Request(`http://sync.test${path}`, init))
  const isUp = async () => /^godwit_store_up (\d)$/m.exec(await (await call('/metrics')).text())?.[1]
  /** Returns the status of `/readyz`, with which the metrics must agree. */
  const ready = async () => {
    const { status } = await call('/readyz')
    expect(await isUp()).toBe(status === 200 ? '1' : '0')
    return status
  }
  return { server, store, call, ready }
}

type FullDiskWorld = Awaited<ReturnType<typeof open>>

async function deviceOn(on: FullDiskWorld) {
  const post = (body: unknown, headers = {}) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const login = await on.call('/rc/v1/app/login', post({ login: 'ada', password: 'ada' }))
  const { session } = (await login.json()) as DeviceSession
  const authorization = { authorization: `Bearer ${session}` }
  const made = (await (await on.call('/rc/v1/clients', post({}, authorization))).json()) as ClientCreated
  const headers = { ...authorization, 'x-sync-client-id': made.client.client_id }
  let epoch = ''
  const deviceIn = (server: FullDiskWorld) => ({
    /** Returns the number of rows of a complete pull; its status if it fails. */
    async pulled(): Promise<number> {
      const answer = await server.call('/app/v1/Note', { headers })
      if (!answer.ok) return answer.status
      const page = (await answer.json()) as Page
      epoch = page.epoch
      return page.count
    },
    /** Pushes one large object, always the same, and returns the status. */
    async push(): Promise<number> {
      const attributes = { text: 'y'.repeat(400_000) }
      const mutation = { number: 1, key: 'the key of a large one', operation: 'create', object: 'large', attributes }
      const body = { epoch, acknowledged: 0, mutations: [mutation] }
      return (await server.call('/app/v1/Note', post(body, headers))).status
    },
  })
  return { ...deviceIn(on), on: deviceIn }
}

describeHere('a full disk', () => {
  test('makes the server unready until a write succeeds; reads go on', async () => {
    const folder = disks.make()
    const on = await open(folder)
    const device = await deviceOn(on)
    expect([await device.pulled(), await on.ready()]).toEqual([50, 200])
    fill(folder)
    expect(await device.push()).toBe(503)
    for (let times = 0; times < 5; times++)
      expect([await on.ready(), await device.pulled(), await device.push()]).toEqual([503, 50, 503])
    rmSync(join(folder, FILLER))
    expect([await on.ready(), await device.push(), await on.ready()]).toEqual([200, 200, 200])
    expect(await device.pulled()).toBe(51)
  })

  test.each([
    ['beside the log that a killed process left', (store: SqliteStore) => store.check()],
    ['after a stop', (store: SqliteStore) => store.close()],
  ])('lets a server start and answer reads, %s', async (_, end) => {
    const folder = disks.make()
    const first = await open(folder)
    const device = await deviceOn(first)
    await device.pulled()
    await first.server.close()
    await end(first.store)
    fill(folder)
    const second = await open(folder)
    const again = device.on(second)
    expect([await again.pulled(), await again.push(), await second.ready(), await again.pulled()]).toEqual([
      50, 503, 503, 50,
    ])
    rmSync(join(folder, FILLER))
    expect([await second.ready(), await again.push(), await again.pulled()]).toEqual([200, 200, 51])
  })
})
