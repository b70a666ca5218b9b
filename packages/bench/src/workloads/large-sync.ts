import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { FirstSync } from '../device-program.js'
import { figure } from '../measure.js'
import { godwit } from '../systems/godwit.js'
import { fill, withSystem } from './with-system.js'
import type { Workload } from './workload.js'

/** A fresh device in a separate process loads a million objects: time, memory, and the rate at the start and at the end. */
export const largeSync: Workload = {
  name: 'm. first sync of a million',
  systems: [godwit],
  run: (kind, { large, runs }) =>
    withSystem(kind, async system => {
      await fill(system, 'ada', 0, large)
      ;(await system.client('ada')).close()
      const results = []
      for (const storage of ['bag', 'fixed']) {
        const synced: FirstSync[] = []
        for (let run = 0; run < Math.min(runs, 3); run++) synced.push(await firstSync(system.url, storage))
        if (synced.some(({ objects }) => objects !== large)) throw new Error('objects are missing on the device')
        const of = `${large.toLocaleString('en-US')} objects, ${storage}`
        results.push(
          { measure: `${of}, seconds`, ...figure(synced.map(({ seconds }) => seconds)) },
          { measure: `${of}, MiB of growth`, ...figure(synced.map(({ growthBytes }) => growthBytes / 2 ** 20)) },
          {
            measure: `${of}, last tenth in % of the first`,
            ...figure(synced.map(({ firstTenth, lastTenth }) => (100 * lastTenth) / firstTenth)),
          },
        )
      }
      return results
    }),
}

/** Runs the first sync of a fresh device in a separate process. */
export async function firstSync(url: string, storage: string, how: 'pull' | 'bulk' = 'pull'): Promise<FirstSync> {
  const program = fileURLToPath(new URL('./device-program.js', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [program, url, storage, how])
  return JSON.parse(stdout) as FirstSync
}
