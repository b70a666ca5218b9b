import { execFile } from 'node:child_process'

/** Milliseconds between two checks of the parents. */
const INTERVAL = 500

/**
 * Sends SIGTERM to this process when the `npx` that started it ends. A signal to npx reaches at most the shell between the two, which ends without
 * passing it on.
 */
export function endWithNpx({ env, pid, ppid }: NodeJS.Process): void {
  if (env['npm_command'] !== 'exec' || !/\bgodwit\b/.test(env['npm_lifecycle_script'] ?? '')) return
  let parents: readonly number[] = []
  execFile('ps', ['-eo', 'pid=,ppid=,args='], (_, table) => {
    parents = parentsUpToNpx(table, ppid)
  }).unref()
  const timer = setInterval(() => {
    if (process.ppid === ppid && parents.every(isRunning)) return
    clearInterval(timer)
    process.kill(pid, 'SIGTERM')
  }, INTERVAL).unref()
}

/** Returns the processes from this one up to npx; none if npx is not among them, or there is no `ps`. */
function parentsUpToNpx(table: string, first: number): readonly number[] {
  const lines = [...table.matchAll(/^ *(\d+) +(\d+) (.*)$/gm)]
  const processes = new Map(lines.map(([, pid, ppid, title = '']) => [Number(pid), { ppid: Number(ppid), title }]))
  const found: number[] = []
  for (let pid = first, one = processes.get(pid); one; pid = one.ppid, one = processes.get(pid)) {
    found.push(pid)
    if (one.title.startsWith('npm exec')) return found
  }
  return []
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
