import { setTimeout as sleep } from 'node:timers/promises'
import { failure } from '@godwit/source'
import type { ChangeLog, InstallStep, WatchedTable } from './changes/change-log.js'
import type { Database } from './database.js'
import { DONE_TABLE } from './done-keys.js'

/** Options of `install` and `remove`. */
export interface InstallOptions {
  /** True: nothing is executed. Default false. */
  readonly dryRun?: boolean
  /** Seconds for which a table is waited for that transactions hold. Default 300. */
  readonly patience?: number
  /** Gets a line about each step and each wait. */
  readonly report?: (line: string) => void
}

/** What an installation or removal did. */
export interface InstallReport {
  /** The statements that were, or would be, executed. */
  readonly statements: readonly string[]
}

interface Installation extends InstallOptions {
  readonly tables: readonly WatchedTable[]
  readonly budget: number
}

/** Milliseconds for which the lock of a table is first waited for, while its writers wait behind; then a quarter longer each time. */
const FIRST_WAIT = 500
const LONGEST_WAIT = 3000

/** Creates the log and the table of finished keys, then the triggers of each table. Works beside writers, and is continued by a later call if it is interrupted. */
export async function install(database: Database, log: ChangeLog, installation: Installation): Promise<InstallReport> {
  const steps = await database.connect(connection => log.plan(connection, installation.tables, installation))
  const done = { statements: [DONE_TABLE[database.kind]] }
  return carryOut(database, log, { ...installation, steps: [done, ...steps] })
}

/** Removes the triggers, then the log. */
export async function remove(database: Database, log: ChangeLog, installation: Installation): Promise<InstallReport> {
  const steps = await database.connect(connection => log.removal(connection))
  return carryOut(database, log, { ...installation, steps })
}

async function carryOut(
  database: Database,
  log: ChangeLog,
  {
    steps,
    dryRun = false,
    patience = 300,
    report = () => {},
  }: Installation & { readonly steps: readonly InstallStep[] },
): Promise<InstallReport> {
  if (!dryRun) for (const step of steps) await attempt(database, log, { step, patience, report })
  return { statements: steps.flatMap(({ statements }) => statements) }
}

interface Attempt {
  readonly step: InstallStep
  readonly patience: number
  readonly report: (line: string) => void
}

/** Tries a step with growing waits, and names who holds the table. */
async function attempt(database: Database, log: ChangeLog, { step, patience, report }: Attempt): Promise<void> {
  let waited = 0
  for (let wait = FIRST_WAIT; ; wait = Math.min(LONGEST_WAIT, wait * 1.25)) {
    try {
      await database.connect(connection => log.execute(connection, step, Math.round(wait)))
      report(step.table === undefined ? 'the change log' : `the table ${step.table}`)
      return
    } catch (error) {
      if (!log.isBusy(error)) throw error
      const blockers = await database.connect(connection => log.blockers(connection, step.table ?? ''))
      const who = blockers.length > 0 ? blockers.join('; ') : 'unknown transactions'
      waited += wait + 200
      if (waited > patience * 1000)
        throw failure(
          `The table ${step.table} is held by ${who}. End them, or run the command again when they have ended.`,
        )
      report(`waiting for ${step.table}, which is held by ${who}`)
      await sleep(200)
    }
  }
}

/** What is installed of a table. */
export interface TableStatus {
  readonly source: string
  readonly table: string
  /** What is missing. Undefined: changes are logged. */
  readonly problem?: string
  /** Transactions that hold the table. */
  readonly blockers: readonly string[]
}

/** Returns what is installed of each table. */
export const status = (
  database: Database,
  log: ChangeLog,
  tables: readonly WatchedTable[],
): Promise<readonly TableStatus[]> =>
  database.connect(async connection => {
    if (!(await log.isInstalled(connection)))
      return tables.map(({ source, table }) => ({
        source,
        table,
        problem: 'expected the change log, got none',
        blockers: [],
      }))
    const states = await log.inspect(connection, tables)
    const found: TableStatus[] = []
    for (const { source, table } of tables) {
      const problem = states.get(source)?.problem
      found.push({
        source,
        table,
        ...(problem !== undefined && { problem }),
        blockers: await log.blockers(connection, table),
      })
    }
    return found
  })
