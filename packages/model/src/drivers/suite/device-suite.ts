import { openSdkOn } from '../../sdk/open-sdk.js'
import { defineModel } from '../../typed/define-model.js'
import { t } from '../../typed/t.js'
import type { Suite } from './driver-conformance.js'

const Note = defineModel('Note', {
  attributes: { text: t.string().default(''), stars: t.integer().optional() },
  indexes: { byStars: ['stars'] },
  textSearch: ['text'],
})
const OPTIONS = { models: { Note } }

/** Tests of a complete device on the drive. */
export function describeDevice({ describe, fact, expect, isDurable }: Suite): void {
  describe('a device', () => {
    fact('creates, finds, searches, updates and destroys', async ({ drive }) => {
      const sdk = openSdkOn(drive, OPTIONS)
      const { Note } = sdk.models
      const rows = Note.createMany([{ text: 'a train', stars: 3 }, { text: 'a bus' }, { text: 'trains', stars: 5 }])
      expect(Note.count({ conditions: { stars: { '>=': 3 } } })).toBe(2)
      expect(Note.find({ search: 'train' }).length).toBe(2)
      Note.update(rows[1]?.id ?? '', { stars: 1 })
      Note.destroy(rows[0]?.id ?? '')
      expect(Note.find({ order: { stars: 'desc' } }).map(({ text }) => text)).toEqual(['trains', 'a bus'])
      await sdk.close()
    })

    fact('undoes a transaction that throws', async ({ drive }) => {
      const sdk = openSdkOn(drive, OPTIONS)
      try {
        sdk.transaction(() => {
          sdk.models.Note.create({ text: 'never' })
          throw new RangeError('undone')
        })
      } catch (error) {
        expect((error as Error).message).toBe('undone')
      }
      expect(sdk.models.Note.count()).toBe(0)
      await sdk.close()
    })

    if (isDurable !== false)
      fact('has its rows after it was closed and opened', async ({ drive }) => {
        const first = openSdkOn(drive, OPTIONS)
        first.models.Note.create({ text: 'kept' })
        await first.close()
        const second = openSdkOn(drive, OPTIONS)
        expect(second.models.Note.find().map(({ text }) => text)).toEqual(['kept'])
        await second.close()
      })
  })
}
