import { execFileSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A program that tests need, and how to come by it. */
export interface Program {
  /** Names on the PATH, the preferred one first. */
  readonly names: readonly string[]
  /** The package of Debian that has the preferred one. */
  readonly debian: string
  /** Folders that may have it, beside those of the PATH. Default: none. */
  readonly folders?: () => readonly string[]
}

/**
 * The path of a program. The preferred one is installed by apt as root on Debian, where `CI` or `SYNC_TEST_INSTALL=1` allows it; else, or if that
 * fails, any of its names on the PATH will do. Undefined, after a loud line that says how to come by it, where none is; with `CI` that is an error.
 */
export function findProgram(program: Program): string | undefined {
  const [name = ''] = program.names
  const found = lookFor(program, [name]) ?? installed(program) ?? lookFor(program, program.names)
  if (found !== undefined) return found
  const advice = `Install ${program.debian}, or as root on Debian set SYNC_TEST_INSTALL=1.`
  if (process.env['CI'])
    throw new Error(`Tests need ${name}, which is not on the PATH and could not be installed. ${advice}`)
  process.stderr.write(`\n*** SKIPPED: what needs ${name}, which is not on the PATH. ${advice} ***\n\n`)
  return undefined
}

const lookFor = ({ folders }: Program, names: readonly string[]): string | undefined =>
  findIn([...pathFolders(), ...(folders?.() ?? [])], names)

const pathFolders = (): readonly string[] =>
  (process.env['PATH'] ?? '').split(delimiter).filter(folder => folder !== '')

function findIn(folders: readonly string[], names: readonly string[]): string | undefined {
  return names.flatMap(name => folders.map(folder => join(folder, name))).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const APT_LOCK = '/var/lock/godwit-tests-apt'
/** Installs its parameter, unless another process did while this one waited. Each command has seconds to end: no test waits for a silent mirror. */
const APT = `
[ "$(dpkg-query -Wf '\${db:Status-Status}' "$1" 2>/dev/null)" = installed ] && exit 0
apt() {
  seconds=$1; shift
  timeout "$seconds" apt-get -qq -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 -o Acquire::http::Timeout=30 "$@"
}
install='install -y --no-install-recommends'
apt 120 update
apt 240 $install --download-only "$1" || apt 240 $install --download-only "$1" || echo "$1 did not come from Debian" >&2
apt 480 $install "$1"`

function installed(program: Program): string | undefined {
  const isAllowed = Boolean(process.env['CI']) || process.env['SYNC_TEST_INSTALL'] === '1'
  if (!isAllowed || process.getuid?.() !== 0 || !findIn(pathFolders(), ['apt-get'])) return undefined
  try {
    // Other test files look for programs at the same time: apt is run by one of them.
    execFileSync('flock', [APT_LOCK, 'sh', '-c', APT, 'sh', program.debian], {
      // The run level keeps services that come along from starting.
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  } catch (error) {
    // Not every distribution has the preferred one.
    process.stderr.write(`${program.debian} could not be installed: ${(error as Error).message}\n`)
  }
  return lookFor(program, program.names)
}
