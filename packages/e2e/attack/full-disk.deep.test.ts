import { createHash, randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, PushOutcomes } from '@godwit/protocol'
import { defineSource } from '@godwit/server'
import { openSqliteStore, type SqliteStore } from '@godwit/store-sqlite'
import { until } from '@godwit/testing'
import { afterEach, expect, test } from '@jest/globals'
import { FILLER, fill, isPossible, smallDisks } from '../harness/small-disk.js'
import { type AttackOptions, type AttackWorld, openOn, read } from './world.js'

const disks = smallDisks()
const worlds: AttackWorld[] = []
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close()
  disks.removeAll()
})

if (!isPossible) process.stderr.write('Attacks on a full disk are skipped: they mount a small one, as root on Linux.\n')
const testHere = isPossible ? test : test.skip

async function open(
  folder: string,
  options: Pick<AttackOptions, 'sources'> = {},
): Promise<{ readonly world: AttackWorld; readonly store: SqliteStore }> {
  const store = await openSqliteStore(join(folder, 'store.sqlite'))
  const close = () => store.close().catch(() => undefined)
  const world = await openOn(store, close, { ...options, limits: { positionInterval: 0, unnamedBlobBytes: 1024 ** 3 } })
  worlds.push(world)
  return { world, store }
}

testHere('a user who fills the disk causes no loss, and service goes on once there is room', async () => {
  const folder = disks.make()
  const { world, store } = await open(folder)
  const [ada, grace] = await Promise.all([world.caller('ada'), world.caller('grace')])
  const { epoch } = await read<Page>(await world.call('GET', '/app/v1/Note', ada.headers))
  await world.call('GET', '/app/v1/Note', grace.headers)
  const push = (number: number) =>
    world.call('POST', '/app/v1/Note', ada.headers, {
      epoch,
      acknowledged: 0,
      mutations: [
        {
          number,
          key: `key-${String(number).padStart(20, '0')}`,
          operation: 'create',
          object: `n${number}`,
          attributes: { text: 'x'.repeat(2000) },
        },
      ],
    })
  const upload = (): Promise<Response> => {
    const bytes = randomBytes(256 * 1024)
    const hash = createHash('sha256').update(bytes).digest('hex')
    const query = new URLSearchParams({ hash, size: String(bytes.length), offset: '0' })
    const headers = { ...ada.headers, 'content-type': 'application/octet-stream' }
    return world.ask(`/app/v1/Note/blobs?${query}`, { method: 'POST', headers, body: Uint8Array.from(bytes) })
  }
  const statuses = new Set<number>()
  for (let n = 0; n < 3; n++) statuses.add((await upload()).status)
  fill(folder)
  for (let n = 0; n < 10; n++) statuses.add((await upload()).status)
  let acknowledged = 0
  for (let number = 1; number <= 20; number++) {
    const answer = await push(number)
    statuses.add(answer.status)
    if (answer.status !== 200) break
    expect((await read<PushOutcomes>(answer)).outcomes.at(-1)).toMatchObject({ number, status: 'applied' })
    acknowledged = number
  }
  expect([...statuses].sort()).toEqual([200, 503])
  expect((await world.ask('/readyz')).status).toBe(503)
  // Reads continue and return everything that was acknowledged.
  const blocked = async (): Promise<number> =>
    (await read<Page>(await world.call('GET', '/app/v1/Note', ada.headers))).count
  expect([await blocked(), (await world.call('GET', '/app/v1/Note', grace.headers)).status]).toEqual([
    acknowledged,
    200,
  ])
  rmSync(join(folder, FILLER))
  for (let number = acknowledged + 1; number <= acknowledged + 3; number++)
    expect((await push(number)).status).toBe(200)
  expect([await blocked(), await world.serves()]).toEqual([acknowledged + 3, true])
  expect(await store.checkIntegrity()).toMatchObject({ intact: true, problems: [] })
})

testHere('a disk that fills while the backend makes a change leaves no doubt about it', async () => {
  const folder = disks.make()
  let calls = 0
  const create = async (): Promise<void> => {
    calls++
    fill(folder)
  }
  const { world } = await open(folder, { sources: [defineSource({ name: 'Note', pollInterval: -1, create })] })
  const { headers } = await world.caller('ada')
  const { epoch } = await read<Page>(await world.call('GET', '/app/v1/Note', headers))
  const mutation = {
    ...{ number: 1, key: 'the key of the change', operation: 'create', object: 'n1' },
    attributes: { text: 'x'.repeat(100_000) },
  }
  const push = () =>
    world.call('POST', '/app/v1/Note', headers, {
      epoch,
      acknowledged: 0,
      mutations: [{ ...mutation, sent: calls > 0 }],
    })
  expect([(await push()).status, calls]).toEqual([503, 1])
  rmSync(join(folder, FILLER))
  await until(async () => (await read<Page>(await world.call('GET', '/app/v1/Note', headers))).count === 1)
  expect((await read<PushOutcomes>(await push())).outcomes).toMatchObject([{ number: 1, status: 'applied' }])
  expect(calls).toBe(1)
})
