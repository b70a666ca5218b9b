import { figure, seconds } from '../measure.js'
import { floor } from '../systems/floor.js'
import { godwit } from '../systems/godwit.js'
import type { Client, WriteKind } from '../systems/system.js'
import { withSystem } from './with-system.js'
import type { Workload } from './workload.js'

/** Devices create objects; the backend is in memory, the outcomes are on disk. */
export const deviceWrites: Workload = {
  name: 'e. device writes',
  systems: [floor('FULL'), godwit],
  run: (kind, { runs, requests }) =>
    withSystem(kind, async system => {
      const clients = await Promise.all(Array.from({ length: 8 }, () => system.client('ada')))
      const results = []
      const kinds: readonly WriteKind[] = kind === godwit ? ['once', 'again'] : ['once']
      for (const write of kinds) {
        const shapes = [
          { measure: '1 connection', clients: clients.slice(0, 1), size: 1, times: requests },
          { measure: '8 connections', clients, size: 1, times: requests },
          { measure: 'batches of 100', clients: clients.slice(0, 1), size: 100, times: requests >> 2 },
        ]
        for (const shape of shapes) {
          await writeAll(shape.clients, write, shape.size, 20)
          const rates: number[] = []
          for (let run = 0; run < runs; run++) {
            const took = await seconds(() => writeAll(shape.clients, write, shape.size, shape.times))
            rates.push((shape.clients.length * shape.size * shape.times) / took)
          }
          results.push({
            measure: `${shape.measure}, ${write === 'once' ? 'not idempotent' : 'idempotent'}, writes/s`,
            ...figure(rates),
          })
        }
      }
      for (const client of clients) client.close()
      return results
    }),
}

const writeAll = (clients: readonly Client[], kind: WriteKind, size: number, times: number): Promise<unknown> =>
  Promise.all(
    clients.map(async client => {
      for (let time = 0; time < times; time++) await client.write(kind, size)
    }),
  )
