import { join } from 'node:path'
import { defineModel, t } from '@godwit/model'
import { openSdk } from '@godwit/model/node'
import { freePort } from '@godwit/testing'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { type LossyNetwork, lossyNetwork } from '../harness/lossy-network.js'
import { backendOf, mortalServer } from '../harness/mortal.js'
import { endAll, inRepository, start } from '../harness/process.js'
import { ADMIN_PASSWORD } from '../harness/server-process.js'
import { temporaryFolder } from '../harness/stores.js'

const attributes = { note: t.string() }
/** The backend of `Safe` applies each key once; the backend of `Unsafe` applies every call. */
const Safe = defineModel('Safe', { sync: 'incremental', attributes })
const Unsafe = defineModel('Unsafe', { sync: 'incremental', attributes })

let folder: ReturnType<typeof temporaryFolder>
let network: LossyNetwork
let port: number
beforeEach(async () => {
  folder = temporaryFolder()
  port = await freePort()
  network = await lossyNetwork(`http://127.0.0.1:${port}`)
})
afterEach(async () => {
  await network.close()
  await endAll()
  folder.remove()
})

/** Runs the `godwit` command on the store and the server of this test. */
async function godwit(...words: readonly string[]) {
  const program = start(inRepository('apps/server/dist/godwit.js'), words, {
    SYNC_STORE: `sqlite:${join(folder.path, 'godwit.sqlite')}`,
    GODWIT_URL: `http://127.0.0.1:${port}`,
    GODWIT_PASSWORD: ADMIN_PASSWORD,
  })
  const { code } = await program.exit
  return { code, ...program.output() }
}

async function device(name: string) {
  const sdk = await openSdk({ directory: join(folder.path, name), server: network.url, models: { Safe, Unsafe } })
  sdk.pollInterval = 0
  await sdk.login('ada', 'ada of tests')
  return sdk
}
type Device = Awaited<ReturnType<typeof device>>

/** Syncs until only changes in the `allowed` states are undecided; the server's sweep resumes interrupted calls. */
async function syncUntilDone(sdk: Device, allowed: readonly string[] = ['in_doubt']): Promise<void> {
  for (let turn = 0; turn < 40; turn++) {
    const summary = await sdk.sync().catch(() => undefined)
    const isWhole = summary?.sources.every(({ error }) => error === undefined)
    if (isWhole && sdk.changes().every(({ state }) => allowed.includes(state))) return
    await new Promise(resolve => setTimeout(resolve, 500))
  }
  throw new Error(`The device does not get done: ${JSON.stringify(sdk.changes())}`)
}

const notesIn = (rows: Iterable<{ readonly note?: unknown }>): readonly unknown[] =>
  [...rows].map(({ note }) => note).sort()
const notesOf = (sdk: Device) => [notesIn(sdk.models.Safe.find()), notesIn(sdk.models.Unsafe.find())]
const notesOfBackend = () => {
  const { objects } = backendOf(folder.path)
  return [notesIn(Object.values(objects['Safe'] ?? {})), notesIn(Object.values(objects['Unsafe'] ?? {}))]
}

/** Creates the same note in both sources. */
function createBoth({ models }: Device, note: string): void {
  models.Safe.create({ note })
  models.Unsafe.create({ note })
}

const isPush = (method: string, path: string): boolean => method === 'POST' && path.startsWith('/app/v1/')

test('after a restore devices converge, lose nothing, and no change is done twice', async () => {
  const copy = join(folder.path, 'copy.sqlite')
  const before = await mortalServer(folder.path, port)
  const [phone, tablet] = [await device('phone'), await device('tablet')]
  createBoth(phone, 'before the backup')
  await syncUntilDone(phone)
  await syncUntilDone(tablet)
  expect(await godwit('backup', copy)).toMatchObject({ code: 0, out: expect.stringContaining('2 objects') })

  createBoth(phone, 'acknowledged after it')
  await syncUntilDone(phone)
  createBoth(phone, 'its answer was lost')
  // The response to the first push makes the device push again, so all are lost.
  network.lose(isPush, Number.POSITIVE_INFINITY)
  await phone.sync().catch(() => {})
  expect(network.lost).toBeGreaterThan(1)
  network.cut(true)
  createBoth(phone, 'never sent')
  const [kept] = phone.models.Safe.find({ conditions: { note: 'before the backup' } })
  phone.models.Safe.update(kept?.id ?? '', { note: 'changed offline' })

  expect(await godwit('restore', copy)).toMatchObject({ code: 1, error: expect.stringContaining('is in use') })
  await before.kill('SIGTERM')
  expect(await godwit('restore', copy)).toMatchObject({
    code: 0,
    out: expect.stringContaining('The previous store is'),
  })
  await mortalServer(folder.path, port)
  network.lose(isPush, 0)
  network.cut(false)

  const noticed: unknown[] = []
  const listening = (async () => {
    for await (const event of phone.events()) if (event.kind === 'resync') noticed.push(event)
  })()
  await syncUntilDone(phone)
  expect(noticed).toContainEqual(expect.objectContaining({ reason: 'epoch', source: 'Safe' }))
  // The push that met the new epoch contained both changes; only the first had been applied, which only the backend knows.
  expect(phone.changes().map(({ model, attributes: given, state }) => [model, given['note'], state])).toEqual([
    ['Unsafe', 'its answer was lost', 'in_doubt'],
    ['Unsafe', 'never sent', 'in_doubt'],
  ])
  expect(notesOfBackend()[1]).toEqual(['acknowledged after it', 'before the backup', 'its answer was lost'])

  const recorded = JSON.parse((await godwit('audit', 'list', '--json')).out)
  const about = { backup: 'copy.sqlite', former: { number: expect.any(Number), hash: expect.any(String) } }
  const entry = { action: 'store.restore', login: null, about, result: 'ok' }
  expect(recorded).toContainEqual(expect.objectContaining(entry))
  expect(await godwit('audit', 'check')).toMatchObject({ code: 0 })

  const { out } = await godwit('mutations', 'list', '--json')
  const [done, undone, ...others] = JSON.parse(out) as { id: string; source: string }[]
  expect([done?.source, undone?.source, others]).toEqual(['Unsafe', 'Unsafe', []])
  expect(await godwit('mutations', 'discard', done?.id ?? '')).toMatchObject({ code: 0 })
  expect(await godwit('mutations', 'retry', undone?.id ?? '')).toMatchObject({ code: 0 })
  await syncUntilDone(phone, [])
  await syncUntilDone(tablet, [])

  expect(phone.changes()).toEqual([])
  const common = ['acknowledged after it', 'its answer was lost', 'never sent']
  expect(notesOfBackend()).toEqual([[...common, 'changed offline'].sort(), [...common, 'before the backup'].sort()])
  expect(notesOf(phone)).toEqual(notesOfBackend())
  expect(notesOf(tablet)).toEqual(notesOfBackend())
  expect(new Set(backendOf(folder.path).times('Unsafe'))).toEqual(new Set([1]))
  await Promise.all([phone.close(), tablet.close()])
  await listening
}, 120_000)
