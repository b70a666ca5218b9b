import type { Attributes } from '@godwit/protocol'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { FakeServer } from '../testing/fake-server.js'
import {
  agree,
  attributed,
  canWrite,
  newDrive,
  objects,
  open,
  requiredOf,
  rows,
  textOf,
  type Version,
} from './any-version.fixture.js'

type Step =
  | { readonly kind: 'open'; readonly version: number }
  | { readonly kind: 'write'; readonly objects: Record<string, Attributes> }
  | { readonly kind: 'edit'; readonly at: number; readonly text: string }
  | { readonly kind: 'create' | 'destroy' | 'sync' }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('open' as const), version: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('write' as const), objects }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('edit' as const), at: fc.nat(3), text: fc.constantFrom('m', 'n', 'o') }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('create' as const, 'destroy' as const) }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'sync' as const }) },
)

/** The app's changes that the server has not decided, by object; null for a removed object. */
type UnsentChanges = Map<string, Attributes | null>

function recordEdit(unsent: UnsentChanges, id: string, attributes: Attributes): void {
  unsent.set(id, { ...unsent.get(id), ...attributes })
}

function checkArrived(server: FakeServer, unsent: UnsentChanges): void {
  const live = server.live('M')
  for (const [id, attributes] of unsent) {
    if (attributes === null) expect([id, live[id]]).toEqual([id, undefined])
    else expect([id, live[id]]).toEqual([id, expect.objectContaining(attributes)])
  }
  unsent.clear()
}

test.each(['bag', 'fixed'] as const)(
  'versions of the app that come and go in any order lose no change, and end as a new device does (%s)',
  async storage => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          first: attributed,
          added: fc.tuple(attributed, attributed),
          steps: fc.array(step, { minLength: 4, maxLength: 14 }),
        }),
        async ({ first, added: [second, third], steps }) => {
          const versions = [first, { ...second, ...first }, third].map((attributes, schemaVersion) => ({
            attributes,
            schemaVersion,
            storage,
          }))
          const [server, drive] = [new FakeServer(), await newDrive()]
          const unsent: UnsentChanges = new Map()
          let [blocked, now] = [0, 0]
          let device = await open(drive, server, versions[0] as Version)
          const attributes = () => (versions[now] as Version).attributes
          const isWritable = () => now >= blocked || canWrite(attributes(), (versions[blocked] as Version).attributes)
          const write = (act: () => void): boolean => {
            if (isWritable()) act()
            else expect(act).toThrow(expect.objectContaining({ code: 'schema_newer' }))
            return isWritable()
          }
          const sync = async () => {
            await device.sdk.sync()
            expect(device.sdk.changes()).toEqual([])
            checkArrived(server, unsent)
          }
          const perform = async (one: Step): Promise<void> => {
            if (one.kind === 'write') return server.write('M', one.objects)
            if (one.kind === 'sync') return sync()
            if (one.kind === 'open') {
              const before = [device.stored(), device.sdk.changes()]
              now = one.version
              device = await open(drive, server, versions[now] as Version)
              if (now <= blocked) expect([device.stored(), device.sdk.changes()]).toEqual(before)
              else expect(device.sdk.changes()).toHaveLength((before[1] as readonly unknown[]).length)
              blocked = Math.max(blocked, now)
              return
            }
            if (one.kind === 'create') {
              const made = requiredOf(attributes())
              write(() => recordEdit(unsent, (device.model.create(made) as { id: string }).id, {}))
              return
            }
            const displayed = rows(device.model)
            const id = displayed[one.kind === 'edit' ? one.at % (displayed.length || 1) : 0]?.['id'] as
              | string
              | undefined
            if (id === undefined) return
            const name = textOf(attributes())
            if (one.kind === 'destroy') {
              if (write(() => void device.model.destroy(id))) unsent.set(id, null)
            } else if (one.kind === 'edit' && name !== undefined) {
              if (write(() => void device.model.update(id, { [name]: one.text })))
                recordEdit(unsent, id, { [name]: one.text })
            }
          }
          for (const one of steps) {
            await perform(one)
            agree(device.sdk, device.model, attributes())
          }
          now = blocked
          device = await open(drive, server, versions[blocked] as Version)
          await sync()
          await sync()
          agree(device.sdk, device.model, attributes())
          const seen = rows(device.model)
          const fresh = await open(await newDrive(), server, versions[blocked] as Version)
          await fresh.sdk.sync()
          expect(seen).toEqual(rows(fresh.model))
        },
      ),
      { numRuns: Number(process.env['GODWIT_HISTORIES'] ?? 12) },
    )
  },
  120_000,
)
