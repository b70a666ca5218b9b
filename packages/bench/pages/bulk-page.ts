import { openDevice } from '@godwit/model/browser'
import { items } from './items.js'
import { measureAnswers } from './measure-answers.js'

const device = openDevice({
  name: 'items',
  server: new URLSearchParams(location.search).get('server') ?? location.origin,
  models: items,
  worker: () => new Worker(new URL('./items.worker.ts', import.meta.url), { type: 'module' }),
})
const { Item } = device.models

Object.assign(globalThis, {
  bench: {
    /** Logs in and loads bulk data, while the page animates and reads 20 rows at a time. */
    async bulk() {
      await device.login('ada', 'ada')
      const measured = await measureAnswers(
        () => Item.find({ limit: 20 }),
        () => device.bulkSync(),
      )
      return { ...measured, objects: await Item.count() }
    },
  },
})
