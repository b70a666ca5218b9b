import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** The result of an integrity check. */
export interface Integrity {
  readonly intact: boolean
  /** The first three problems, in SQLite's words. */
  readonly problems: readonly string[]
  readonly milliseconds: number
}

/** The program of the check. It runs in another process, since it takes minutes, blocks its thread and must not share this process's locks. */
const PROGRAM = `
const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
try { process.getBuiltinModule('node:os').setPriority(19) } catch {}
const database = new DatabaseSync(process.argv[1], { readOnly: true })
database.exec('PRAGMA busy_timeout = 10000')
process.stdout.write(JSON.stringify(database.prepare('PRAGMA quick_check(3)').all().flatMap(Object.values)))
`

const MAX_TEXT = 1024 * 1024

/** Checks a file while it is in use. Rejects if the check cannot run. */
export async function lookAtIntegrity(path: string, signal: AbortSignal): Promise<Integrity> {
  const begun = performance.now()
  const options = { signal, maxBuffer: MAX_TEXT, windowsHide: true }
  const program = ['--disable-warning=ExperimentalWarning', '-e', PROGRAM, path]
  const found = await promisify(execFile)(process.execPath, program, options).then(
    ({ stdout }) => JSON.parse(stdout) as readonly string[],
    (error: { readonly stderr?: string }) => {
      // Damage that prevents reading the file is reported as an error.
      const reported = /malformed|not a database/.exec(error.stderr ?? '')
      if (reported === null) throw error
      return [reported[0]]
    },
  )
  const problems = found.filter(text => text !== 'ok')
  return { intact: problems.length === 0, problems, milliseconds: Math.round(performance.now() - begun) }
}
