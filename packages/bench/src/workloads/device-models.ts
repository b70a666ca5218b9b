import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { LIBRARIES } from '../libraries/libraries.js'
import type { Figure } from '../measure.js'
import type { Workload } from './workload.js'

/** Creates, finds, pages, updates and removes rows, each library in a separate process. Godwit also writes its outbox. */
export const deviceModels: Workload<{ readonly name: string }> = {
  name: 'g. models on the device',
  systems: Object.keys(LIBRARIES).map(name => ({ name })),
  async run({ name }, { objects, runs, clock }) {
    const program = fileURLToPath(new URL('./library-program.js', import.meta.url))
    const printed = execFileSync(process.execPath, [program, name, String(objects.at(-1)), String(runs), clock], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    // Some libraries write to stdout too.
    const figures = JSON.parse(printed.trimEnd().split('\n').at(-1) ?? '') as readonly (readonly [
      measure: string,
      figure: Figure,
    ])[]
    return figures.map(([measure, figure]) => ({ measure, ...figure }))
  },
}
