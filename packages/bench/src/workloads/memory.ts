import { figure } from '../measure.js'
import { floor } from '../systems/floor.js'
import { godwit } from '../systems/godwit.js'
import { residentBytes } from '../systems/system.js'
import { fill, withSystem } from './with-system.js'
import type { Workload } from './workload.js'

const DEVICES = 200

/** The server's resident memory with all objects stored and synced once, and the addition of each further synced device. */
export const memory: Workload = {
  name: 'f. memory',
  systems: [floor('NORMAL'), godwit],
  run: (kind, { objects }) =>
    withSystem(kind, async system => {
      const count = objects.at(-1) ?? 0
      await fill(system, 'ada', 0, count)
      const first = await system.client('ada')
      await first.pull()
      const synced = residentBytes(system.pid)
      first.close()
      const small = objects[0] ?? 0
      await fill(system, 'grace', 0, small)
      const before = residentBytes(system.pid)
      for (let device = 0; device < DEVICES; device++) {
        const client = await system.client('grace')
        await client.pull()
        client.close()
      }
      const perDevice = Math.max(0, residentBytes(system.pid) - before) / DEVICES / 1024
      return [
        { measure: `${count.toLocaleString('en-US')} objects, MiB resident`, ...figure([synced / 2 ** 20]) },
        { measure: 'per further device, KiB resident', ...figure([perDevice]) },
      ]
    }),
}
