import { figure } from '../measure.js'
import { items } from '../objects.js'
import { floor } from '../systems/floor.js'
import { godwits } from '../systems/godwit.js'
import { fill, withSystem } from './with-system.js'
import type { Workload } from './workload.js'

/** The duration of one pull of 10 changed objects after a full sync. */
export const incremental: Workload = {
  name: 'b. incremental',
  systems: [floor('NORMAL'), ...godwits],
  run: (kind, { objects, requests }) =>
    withSystem(kind, async system => {
      const results = []
      let filled = 0
      let edition = 0
      for (const count of objects) {
        await fill(system, 'ada', filled, count)
        filled = count
        const client = await system.client('ada')
        await client.pull()
        const times: number[] = []
        for (let request = 0; request < requests; request++) {
          await system.ingest('ada', items((request * 10) % Math.max(10, count - 10), 10, ++edition))
          const began = performance.now()
          const received = await client.pull()
          times.push(performance.now() - began)
          if (received !== 10) throw new Error(`${received} of 10 changes came`)
        }
        client.close()
        results.push({
          measure: `10 of ${count.toLocaleString('en-US')} changed, ms`,
          ...figure(times.slice(requests >> 3)),
        })
      }
      return results
    }),
}
