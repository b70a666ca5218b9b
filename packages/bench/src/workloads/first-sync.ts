import { figure, seconds } from '../measure.js'
import { floor } from '../systems/floor.js'
import { godwits } from '../systems/godwit.js'
import { fill, withSystem } from './with-system.js'
import type { Workload } from './workload.js'

/** A fresh client loads everything over HTTP, parsed and counted. */
export const firstSync: Workload = {
  name: 'a. first sync, raw',
  systems: [floor('NORMAL'), ...godwits],
  run: (kind, { objects, runs }) =>
    withSystem(kind, async system => {
      const results = []
      let filled = 0
      for (const count of objects) {
        await fill(system, 'ada', filled, count)
        filled = count
        const rates: number[] = []
        for (let run = 0; run <= runs; run++) {
          const client = await system.client('ada')
          const took = await seconds(async () => {
            const received = await client.pull()
            if (received !== count) throw new Error(`${received} of ${count} objects came`)
          })
          client.close()
          if (run > 0) rates.push(count / took)
        }
        results.push({ measure: `${count.toLocaleString('en-US')} objects, objects/s`, ...figure(rates) })
      }
      return results
    }),
}
