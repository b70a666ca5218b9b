import { readdirSync, readFileSync } from 'node:fs'
import { seconds } from '../measure.js'
import type { System } from './system.js'

/** Returns the cost of a function in seconds: elapsed time, or the processor time of the server and its store. */
export async function cost(
  { pid, storePid }: Pick<System, 'pid' | 'storePid'>,
  clock: 'wall' | 'cpu',
  run: () => Promise<unknown>,
): Promise<number> {
  if (clock === 'wall') return seconds(run)
  const spent = () => processorSeconds(pid) + (storePid === undefined ? 0 : processorSeconds(storePid))
  const before = spent()
  await run()
  return spent() - before
}

/** Returns the processor time of all threads of a process in seconds. */
function processorSeconds(pid: number): number {
  const tasks = `/proc/${pid}/task`
  const nanoseconds = readdirSync(tasks).map(task =>
    Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]),
  )
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e9
}
