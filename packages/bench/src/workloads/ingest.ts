import { figure } from '../measure.js'
import { cost } from '../systems/cost.js'
import { floor } from '../systems/floor.js'
import { godwits } from '../systems/godwit.js'
import { fill, withSystem } from './with-system.js'
import type { Workload } from './workload.js'

/** A backend pushes new objects in batches of 1,000. */
export const ingest: Workload = {
  name: 'd. ingest',
  systems: [floor('NORMAL'), floor('FULL'), ...godwits],
  run: (kind, { objects, runs, clock }) =>
    withSystem(kind, async system => {
      const count = objects.at(-1) ?? 0
      const rates: number[] = []
      await fill(system, 'warm', 0, Math.min(10_000, count))
      for (let run = 0; run < runs; run++) {
        const ingest = () => fill(system, `user-${run}`, (run + 1) * count, (run + 2) * count)
        rates.push(count / (await cost(system, clock, ingest)))
      }
      return [{ measure: `${count.toLocaleString('en-US')} new objects, objects/s`, ...figure(rates) }]
    }),
}
