import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'

const PREFIX = 'godwit-bulk-'
/** Process ids belong to one machine, and containers may share its temporary folder. */
const HOST = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)
/** After a kill, a container starts its server with the same process id again. */
const PROCESS = randomBytes(4).toString('hex')
const OWNED_NAME = new RegExp(`^${PREFIX}${HOST}-(\\d+)-([0-9a-f]+)-`)

/** Creates a folder that only its owner can enter, for the files of one build. */
export const makeBuildFolder = (): Promise<string> =>
  mkdtemp(join(tmpdir(), `${PREFIX}${HOST}-${process.pid}-${PROCESS}-`))

/** Removes the folders of killed processes of this machine. */
export async function removeAbandonedBuilds(): Promise<void> {
  const abandoned = (await readdir(tmpdir())).filter(isAbandoned)
  await Promise.all(abandoned.map(name => rm(join(tmpdir(), name), { recursive: true, force: true })))
}

function isAbandoned(name: string): boolean {
  const [, pid, owner] = OWNED_NAME.exec(name) ?? []
  if (pid === undefined) return false
  return Number(pid) === process.pid ? owner !== PROCESS : !isRunning(Number(pid))
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process of another user, whose files this one cannot remove.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
