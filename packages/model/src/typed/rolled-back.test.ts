import type { Attributes } from '@godwit/protocol'
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { FakeServer } from '../testing/fake-server.js'
import {
  type AttributeKind,
  agree,
  attributed,
  canWrite,
  DECLARED,
  newDrive,
  objects,
  open,
  requiredOf,
  rows,
  textOf,
  value,
} from './any-version.fixture.js'

test.each(['bag', 'fixed'] as const)(
  'an older app opens the %s of a newer one, and an upgrade finds nothing lost',
  async storage => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          older: attributed,
          added: attributed,
          isAdded: fc.boolean(),
          first: objects,
          later: objects,
          change: value,
        }),
        async ({ older, added, isAdded, first, later, change }) => {
          const [server, drive] = [new FakeServer(), await newDrive()]
          let migrations = 0
          const one = { attributes: older, schemaVersion: 1, storage }
          const newer = isAdded ? { ...added, ...older } : added
          const two = { attributes: newer, schemaVersion: 2, storage, migrate: () => void migrations++ }
          const up = await open(drive, server, one)
          server.write('M', first as Record<string, Attributes>)
          await up.sdk.sync()
          agree(up.sdk, up.model, older)

          const upper = await open(drive, server, two)
          await upper.sdk.sync()
          for (const { id } of upper.model.find() as readonly { id: string }[]) {
            const [name] = Object.keys(newer)
            if (DECLARED[newer[name as string] as AttributeKind].kind === 'text')
              upper.model.update(id, { [name as string]: 'mine' })
          }
          agree(upper.sdk, upper.model, newer)
          const [before, changes] = [upper.stored(), upper.sdk.changes()]

          const isWritable = canWrite(older, newer)
          const down = await open(drive, server, one)
          expect([down.stored(), down.sdk.changes()]).toEqual([before, changes])
          agree(down.sdk, down.model, older)
          const refused = expect.objectContaining({ code: 'schema_newer' })
          const made = requiredOf(older)
          const [target] = down.model.find() as readonly { id: string }[]
          if (isWritable) {
            down.model.create(made)
          } else {
            expect(() => down.model.create(made)).toThrow(refused)
            expect(() => down.model.createMany([made, made])).toThrow(refused)
            expect(() => down.model.update('1', {})).toThrow(refused)
            expect(() => down.model.destroy('1')).toThrow(refused)
            expect(() => down.model.destroyAll()).toThrow(refused)
          }
          const text = textOf(older)
          if (isWritable && target && text !== undefined) down.model.update(target.id, { [text]: String(change) })
          const undecided = down.sdk.changes()
          server.write('M', later as Record<string, Attributes>)
          await down.sdk.sync()
          agree(down.sdk, down.model, older)
          expect(down.sdk.debug().models[0]).toMatchObject({ newer: { schemaVersion: 2, writable: isWritable } })
          expect(undecided.length > 0).toBe(server.pushes.length > 0)

          const again = await open(drive, server, two)
          expect(again.sdk.changes()).toEqual([])
          agree(again.sdk, again.model, newer)
          const seen = rows(again.model)
          const fresh = await open(await newDrive(), server, two)
          await fresh.sdk.sync()
          expect(seen).toEqual(rows(fresh.model))
          expect(migrations).toBe(1)
        },
      ),
      { numRuns: 12 },
    )
  },
)
