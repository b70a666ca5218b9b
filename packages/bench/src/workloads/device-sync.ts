import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineModel, t } from '@godwit/model'
import { openSdk } from '@godwit/model/node'
import { figure, seconds } from '../measure.js'
import { godwit } from '../systems/godwit.js'
import { fill, withSystem } from './with-system.js'
import type { Workload } from './workload.js'

const attributes = Object.fromEntries(Array.from({ length: 6 }, (_, name) => [`attribute_${name}`, t.string()]))
const STORAGES = {
  bag: defineModel('Item', { sync: 'incremental', attributes }),
  fixed: defineModel('Item', { sync: 'incremental', storage: 'fixed', attributes }),
}

/** A fresh device loads everything into its SQLite. */
export const deviceSync: Workload = {
  name: 'a. first sync, into the device',
  systems: [godwit],
  run: (kind, { objects, runs }) =>
    withSystem(kind, async system => {
      const count = objects.at(-1) ?? 0
      await fill(system, 'ada', 0, count)
      ;(await system.client('ada')).close()
      const results = []
      for (const [storage, Item] of Object.entries(STORAGES)) {
        const rates: number[] = []
        for (let run = 0; run <= runs; run++) {
          const directory = mkdtempSync(join(tmpdir(), 'godwit-bench-device-'))
          const sdk = await openSdk({ directory, server: system.url, models: { Item } })
          await sdk.login('ada', 'ada')
          const took = await seconds(() => sdk.sync())
          if (sdk.models.Item.count() !== count)
            throw new Error(`${sdk.models.Item.count()} of ${count} objects are on the device`)
          await sdk.close()
          rmSync(directory, { recursive: true, force: true })
          if (run > 0) rates.push(count / took)
        }
        results.push({ measure: `${count.toLocaleString('en-US')} objects, ${storage}, objects/s`, ...figure(rates) })
      }
      return results
    }),
}
