import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** Databases refuse to run as root: they then run as the unprivileged user that every Linux has. */
const UNPRIVILEGED = 65_534

/** Where a database server runs: its folder, and the user if this process is root. */
export interface DatabasePlace {
  readonly cwd: string
  readonly uid?: number
  readonly gid?: number
}

/** Creates an empty folder that belongs to the user who runs the database. */
export function databasePlace(name: string): DatabasePlace {
  const cwd = mkdtempSync(join(tmpdir(), `godwit-${name}-`))
  if (process.getuid?.() !== 0) return { cwd }
  chownSync(cwd, UNPRIVILEGED, UNPRIVILEGED)
  return { cwd, uid: UNPRIVILEGED, gid: UNPRIVILEGED }
}

/** A database server that can be started again in its folder. */
export interface DatabaseProgram {
  readonly path: string
  readonly parameters: readonly string[]
  readonly place: DatabasePlace
  /** What standard error says once connections are accepted. */
  readonly ready: string
  /** Ends the server without waiting for its clients. */
  readonly signal: NodeJS.Signals
}

/** Starts a database server, which ends with this process at the latest. Resolves when it accepts connections. */
export async function launchDatabase({
  path,
  parameters,
  place,
  ready,
  signal,
}: DatabaseProgram): Promise<ChildProcess> {
  const child = spawn(path, parameters, { ...place, stdio: ['ignore', 'ignore', 'pipe'] })
  const kill = () => void child.kill(signal)
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  let lines = ''
  for await (const line of createInterface({ input: child.stderr })) {
    lines += `${line}\n`
    if (!line.includes(ready)) continue
    child.stderr.resume()
    return child
  }
  throw new Error(`${path} did not start: ${lines}`)
}

/** Ends a database server, and resolves when it has ended. */
export async function endDatabase(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}
