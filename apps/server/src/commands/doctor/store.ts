import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { isSyncError } from '@godwit/protocol'
import type { Measures } from '@godwit/store'
import { readSettings } from '../../config.js'
import type { Environment } from '../../environment.js'
import { openStore } from '../../open-store.js'
import { sqlitePath, storeAddress } from '../../store-address.js'
import { storeFileText } from '../backup.js'
import { bytes } from '../view/format.js'
import { type CheckResult, messageOf, ok, problem, warning } from './check-result.js'

const ABOUT = 'store'

export async function checkStore(environment: Environment): Promise<readonly CheckResult[]> {
  const address = storeAddress(environment)
  const path = sqlitePath(address)
  if (path !== undefined)
    return [existsSync(path) ? await checkStoreFile(path) : checkFolder(path), ...durabilityOf(environment)]
  if (address === 'memory:' || address.startsWith('sqlite:'))
    return [
      warning(
        ABOUT,
        'in memory: all data is lost when the server stops',
        'For more than a trial, set SYNC_STORE=sqlite:PATH.',
      ),
    ]
  try {
    const { replicas } = readSettings({ SYNC_REDIS_REPLICAS: environment['SYNC_REDIS_REPLICAS'] })
    const store = await openStore(address, { replicas })
    const measures = await store
      .check()
      .then(() => store.measure())
      .finally(() => store.close())
    return [
      ok(ABOUT, `${address.split(':', 1)[0]}: can be read and written`),
      ...persistenceOf(measures),
      ...replicasOf(measures),
    ]
  } catch (error) {
    return [problem(ABOUT, messageOf(error), 'Check SYNC_STORE, and that the store is running.')]
  }
}

/** Says what a power failure may lose, where an operator chose so. */
function durabilityOf(environment: Environment): readonly CheckResult[] {
  try {
    const { durability } = readSettings({ SYNC_DURABILITY: environment['SYNC_DURABILITY'] })
    const says = 'SYNC_DURABILITY=normal: a power failure may lose the last acknowledged writes'
    return durability === 'full' ? [] : [ok('durability', says)]
  } catch (error) {
    return [problem('durability', messageOf(error), 'Set SYNC_DURABILITY to full or normal.')]
  }
}

/** Warns about Redis without persistence, which loses users, sessions and unsettled changes at each restart. */
export function persistenceOf({ persists }: Pick<Measures, 'persists'>): readonly CheckResult[] {
  if (persists === undefined) return []
  if (persists) return [ok('persistence', 'Redis keeps its data across restarts')]
  const says = 'Redis loses its data on restart: neither the append-only file nor snapshots are enabled'
  return [warning('persistence', says, 'Set appendonly yes (and appendfsync everysec) in its configuration.')]
}

/** Warns about too few replicas: calls to backends wait without failing. */
export function replicasOf({ replicas, undecided }: Pick<Measures, 'replicas' | 'undecided'>): readonly CheckResult[] {
  if (replicas === undefined) return []
  const { wanted, present } = replicas
  if (present >= wanted) return [ok('replicas', `${present} in sync, ${wanted} must confirm each call`)]
  const says = `${present} in sync, expected ${wanted}: calls to sources that are not idempotent are delayed, ${undecided.queued} changes are waiting`
  const todo = 'Check the Redis replicas (INFO replication), or set SYNC_REDIS_REPLICAS to their number.'
  return [warning('replicas', says, todo)]
}

/** Checks the store file, which is safe beside a running server. */
async function checkStoreFile(path: string): Promise<CheckResult> {
  try {
    const { checkSqliteStore, readByOthers } = await import('@godwit/store-sqlite')
    accessSync(path, constants.R_OK | constants.W_OK)
    const integrity = checkSqliteStore(path, { quick: true })
    const ahead = statSync(path).mtimeMs - Date.now()
    if (ahead > 60_000)
      return warning(
        'clock',
        `${path} was written ${Math.round(ahead / 60_000)} minutes in the future`,
        'Correct the clock: leases, sessions and due times depend on it.',
      )
    const open = readByOthers(path)
    if (open.length > 0)
      return warning(
        ABOUT,
        `other users of this machine can read ${open.join(', ')}, which contain hashes of passwords and tokens`,
        `Restrict access: chmod 600 ${open.join(' ')}. The server does this at its start if it owns the files.`,
      )
    return ok(ABOUT, storeFileText(integrity).trim())
  } catch (error) {
    return problem(
      ABOUT,
      messageOf(error),
      isSyncError(error)
        ? 'Follow the message. To restore a backup, run godwit restore FILE.'
        : 'Make the file readable and writable for this user, or restore a backup: godwit restore FILE.',
    )
  }
}

function checkFolder(path: string): CheckResult {
  const folder = existingAbove(path)
  try {
    accessSync(folder, constants.W_OK)
    return ok(ABOUT, `${path} does not exist yet: the server creates it at its first start`)
  } catch {
    return problem(
      ABOUT,
      `${folder} cannot be written`,
      'Make the folder writable for this user, or set SYNC_STORE to another one.',
    )
  }
}

function existingAbove(path: string): string {
  const folder = dirname(resolve(path))
  return existsSync(folder) ? folder : existingAbove(folder)
}

const MIN_FREE_SPACE = 200 * 1024 ** 2

/** Checks the free disk space: a backup, a restore or a migration needs as much as the store. */
export async function checkSpace(environment: Environment): Promise<readonly CheckResult[]> {
  const path = sqlitePath(storeAddress(environment))
  if (path === undefined) return []
  const { bavail, bsize } = await statfs(existingAbove(path))
  const free = bavail * bsize
  const needed = Math.max(MIN_FREE_SPACE, existsSync(path) ? statSync(path).size : 0)
  if (free >= needed) return [ok('disk', `${bytes(free)} free`)]
  return [
    warning(
      'disk',
      `${bytes(free)} free, expected at least ${bytes(needed)}`,
      'Free some disk space: a full disk stops all writes.',
    ),
  ]
}
