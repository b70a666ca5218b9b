import { openDevice } from '@godwit/model/browser'
import type { DeviceRow } from '../../src/device-rows.js'
import { models } from '../models.js'
import type { OpenPageSystem } from '../page-system.js'

const PART = 10_000

/** The device creates ids. */
const attributesOf = ({ id: _, ...attributes }: DeviceRow) => attributes

/** Opens the device with one of its models. */
export const openWith =
  (model: 'Item' | 'LocalItem'): OpenPageSystem =>
  async () => {
    const device = openDevice({
      name: 'bench',
      // Without a login, every write waits in the outbox.
      server: location.origin,
      models,
      worker: () => new Worker(new URL('./godwit.worker.ts', import.meta.url), { type: 'module' }),
    })
    const Item = device.models[model]
    return {
      async store(rows) {
        for (let from = 0; from < rows.length; from += PART)
          await Item.createMany(rows.slice(from, from + PART).map(attributesOf))
      },
      create: row => Item.create(attributesOf(row)),
      find: async indexed => (await Item.find({ conditions: { indexed } })).length,
      live: async (indexed, report) => Item.observe({ conditions: { indexed } }, rows => report(rows.length)),
    }
  }

/** Every row waits to be sent, so the device stores both the write and the former value. */
export const open = openWith('Item')
