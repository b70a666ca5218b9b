import { readFileSync } from 'node:fs'
import type { FirstSync } from '../device-program.js'
import { figure } from '../measure.js'
import { godwit } from '../systems/godwit.js'
import { residentBytes } from '../systems/system.js'
import { firstSync } from './large-sync.js'
import { fill, withSystem } from './with-system.js'
import type { Workload } from './workload.js'

/**
 * A fresh device loads a million objects as bulk data: first while the server builds the file, then from the existing file. Measures time and
 * memory of both sides.
 */
export const bulkSync: Workload = {
  name: 'n. bulk data of a million',
  systems: [godwit],
  run: (kind, { large, runs }) =>
    withSystem(kind, async system => {
      await fill(system, 'ada', 0, large)
      ;(await system.client('ada')).close()
      const before = residentBytes(system.pid)
      const made = await firstSync(system.url, 'bag', 'bulk')
      const growth = peakBytes(system.pid) - before
      const results = [
        { measure: `${large.toLocaleString('en-US')} objects, making the file and seconds`, ...figure([made.seconds]) },
        { measure: 'server, MiB of growth', ...figure([growth / 2 ** 20]) },
      ]
      for (const storage of ['bag', 'fixed']) {
        const loaded: FirstSync[] = []
        for (let run = 0; run < Math.min(runs, 3); run++) loaded.push(await firstSync(system.url, storage, 'bulk'))
        if (loaded.some(({ objects }) => objects !== large)) throw new Error('objects are missing on the device')
        results.push(
          { measure: `${storage}, seconds`, ...figure(loaded.map(({ seconds }) => seconds)) },
          { measure: `${storage}, MiB of growth`, ...figure(loaded.map(({ growthBytes }) => growthBytes / 2 ** 20)) },
        )
      }
      return results
    }),
}

/** Returns the peak of resident memory in bytes. */
function peakBytes(pid: number): number {
  const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) * 1024
}
