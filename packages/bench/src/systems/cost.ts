import { readdirSync, readFileSync } from 'node:fs'
import { seconds } from '../measure.js'
import type { System } from './system.js'

/** What it costs, in seconds: on the wall, or of the server's processor time. */
export async function cost(
  { pid }: Pick<System, 'pid'>,
  clock: 'wall' | 'cpu',
  run: () => Promise<unknown>,
): Promise<number> {
  if (clock === 'wall') return seconds(run)
  const before = processorSeconds(pid)
  await run()
  return processorSeconds(pid) - before
}

/** Of all threads of a process. */
function processorSeconds(pid: number): number {
  const tasks = `/proc/${pid}/task`
  const nanoseconds = readdirSync(tasks).map(task =>
    Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]),
  )
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e9
}
