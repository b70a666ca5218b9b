import { figure } from '../measure.js'
import { cost } from '../systems/cost.js'
import { floor } from '../systems/floor.js'
import { godwits } from '../systems/godwit.js'
import type { Client, WriteKind } from '../systems/system.js'
import { withSystem } from './with-system.js'
import type { Workload } from './workload.js'

/** Devices create objects; the backend is in memory, and the outcomes are stored on disk. */
export const deviceWrites: Workload = {
  name: 'e. device writes',
  systems: [floor('FULL'), ...godwits],
  run: (kind, { runs, requests, clock }) =>
    withSystem(kind, async system => {
      const results = []
      for (const write of kind.writes) {
        const shapes = [
          { measure: '1 connection', connections: 1, size: 1, times: requests },
          { measure: '8 connections', connections: 8, size: 1, times: requests },
          { measure: 'batches of 100', connections: 1, size: 100, times: requests >> 2 },
        ]
        for (const { measure, connections, size, times } of shapes) {
          // A server closes idle connections, so each shape opens new ones.
          const clients = await Promise.all(Array.from({ length: connections }, () => system.client('ada')))
          await writeAll(clients, write, size, 20)
          const rates: number[] = []
          for (let run = 0; run < runs; run++) {
            const took = await cost(system, clock, () => writeAll(clients, write, size, times))
            rates.push((connections * size * times) / took)
          }
          const named = `${measure}, ${write === 'once' ? 'not idempotent' : 'idempotent'}, writes/s`
          results.push({ measure: named, ...figure(rates) })
          for (const client of clients) client.close()
        }
      }
      return results
    }),
}

const writeAll = (clients: readonly Client[], kind: WriteKind, size: number, times: number): Promise<unknown> =>
  Promise.all(
    clients.map(async client => {
      for (let time = 0; time < times; time++) await client.write(kind, size)
    }),
  )
