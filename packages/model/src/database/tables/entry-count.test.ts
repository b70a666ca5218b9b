import { afterEach, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { EVERYTHING } from '../../query/query-tree.js'
import type { Records } from '../../records/records.js'
import { FakeServer } from '../../testing/fake-server.js'
import {
  definition,
  driveOn,
  fragile,
  type OpenedDevice,
  openOn,
  temporaryDirectories,
} from '../../testing/open-device.js'

const directories = temporaryDirectories()
const opened = new Set<OpenedDevice>()
afterEach(async () => {
  for (const { sdk } of opened) await sdk.close()
  opened.clear()
  directories.removeAll()
})

const KINDS = ['create', 'many', 'update', 'remove', 'removeMany', 'undo', 'sync', 'migrate', 'reopen', 'kill'] as const
const step = fc.record({ kind: fc.constantFrom(...KINDS), process: fc.nat(1), of: fc.nat(5) })
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Returns two processes on one directory, each of which can be killed at a commit. */
async function world() {
  const [server, directory] = [new FakeServer(), directories.make()]
  server.decide = ({ number }) => (number % 3 === 0 ? { status: 'refused' } : number % 3 === 1 ? { queue: true } : {})
  let version = 0
  const processes = await Promise.all(
    [0, 1].map(async () => {
      const { drive, failAt } = fragile(await driveOn('better-sqlite3', directory))
      return { drive, failAt, device: undefined as OpenedDevice | undefined }
    }),
  )
  const of = (number: number): OpenedDevice => {
    const one = processes[number] as (typeof processes)[number]
    if (one.device === undefined) {
      one.device = openOn(one.drive, server, [definition('M', { schemaVersion: version })])
      opened.add(one.device)
    }
    return one.device
  }
  const close = async (number: number) => {
    const one = processes[number] as (typeof processes)[number]
    if (!one.device) return
    opened.delete(one.device)
    await one.device.sdk.close()
    one.device = undefined
  }
  await of(0).sdk.login('ada', 'ada')
  return {
    of,
    close,
    async migrate(number: number) {
      version++
      for (const each of [0, 1]) await close(each)
      of(number)
    },
    async kill(number: number, run: () => void) {
      const { failAt } = processes[number] as (typeof processes)[number]
      failAt(sql => sql === 'COMMIT')
      expect(run).toThrow('killed')
      failAt(undefined)
      await close(number)
    },
  }
}

async function apply(on: Awaited<ReturnType<typeof world>>, { kind, process, of }: Step): Promise<void> {
  const { sdk, device } = on.of(process)
  const records = device.find('M') as Records
  const all = records.read(EVERYTHING)
  const object = all[of % Math.max(1, all.length)]?.object ?? ''
  const many = () => records.insertMany(Array.from({ length: of + 1 }, () => ({ a: 'many' })))
  if (kind === 'create') records.insert({ a: 'one' })
  else if (kind === 'many') many()
  else if (kind === 'update') records.change(object, { a: `changed ${of}` })
  else if (kind === 'remove') records.destroy(object)
  else if (kind === 'removeMany')
    records.destroyAll({
      condition: { kind: 'compare', attribute: 'object', operator: '>=', value: object },
      order: [],
    })
  else if (kind === 'undo')
    expect(() =>
      sdk.transaction(() => {
        many()
        for (const row of all.slice(of)) records.destroy(row.object)
        throw new Error('undone')
      }),
    ).toThrow('undone')
  else if (kind === 'sync') await sdk.sync().catch(() => {})
  else if (kind === 'migrate') await on.migrate(process)
  else if (kind === 'reopen') await on.close(process)
  else await on.kill(process, many)
}

test('the count of entries is that of the outbox after any history of two processes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async steps => {
      const on = await world()
      for (const one of steps) {
        await apply(on, one)
        for (const { outbox } of [0, 1].map(each => on.of(each).parts.registry.scopes.user))
          expect(outbox.count()).toBe(outbox.all().length)
      }
      for (const each of [0, 1]) await on.close(each)
      directories.removeAll()
    }),
    { numRuns: Number(process.env['GODWIT_ROUNDS'] ?? 25) },
  )
})

test('of entries made one by one most are counted as they are made', async () => {
  const on = await world()
  const { parts, device } = on.of(0)
  const records = device.find('M') as Records
  for (let made = 0; made < 2500; made++) records.insert({ a: 'one' })
  const behind = parts.database.prepare('SELECT count(*) FROM user.outbox, user.entry_count WHERE entry > through')
  expect(parts.registry.scopes.user.outbox.count()).toBe(2500)
  expect(behind.arrays()[0]?.[0]).toBeLessThanOrEqual(1000)
})

test('an entry is counted whose number one had before that is gone', async () => {
  const on = await world()
  const [first, second] = [on.of(0).device.find('M') as Records, 1]
  const many = first.insertMany([{ a: 'counted' }, { a: 'counted, and the last' }])
  const behind = first.insert({ a: 'not counted yet' })
  for (const object of [many.at(-1), behind].map(row => row?.object ?? '')) first.destroy(object)
  on.of(second).device.find('M')?.insert({ a: 'has their number' })
  const { outbox } = on.of(second).parts.registry.scopes.user
  expect(outbox.all().map(({ attributes }) => attributes['a'])).toEqual(['counted', 'has their number'])
  expect(outbox.count()).toBe(2)
})
