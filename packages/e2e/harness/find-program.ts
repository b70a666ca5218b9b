import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

/** A program that tests need and that no npm package carries. */
export interface Wanted {
  /** What it is, for people. */
  readonly what: string
  /** The environment variable that names it, and goes before all else. */
  readonly variable: string
  /** How it is called on the PATH; the first that is found. */
  readonly names: readonly string[]
  /** The Debian package that has it. */
  readonly debian: string
}

/**
 * Where the program is: as the environment says, else on the PATH, else, as root on Debian with `CI` or `SYNC_TEST_INSTALL=1`, installed.
 * Undefined: nowhere, and a loud line has said how to get it. In CI that is an error: there nothing is skipped.
 */
export async function findProgram(wanted: Wanted): Promise<string | undefined> {
  const named = process.env[wanted.variable]
  if (named) return named
  const found = (await onPath(wanted)) ?? (mayInstall() ? await install(wanted) : undefined)
  if (found !== undefined) return found
  const { what, variable, names, debian } = wanted
  const how = `set ${variable} to its path, put ${names[0]} on the PATH, or run as root on Debian with SYNC_TEST_INSTALL=1 (installs ${debian})`
  if (process.env['CI']) throw new Error(`There is no ${what}, and in CI nothing is skipped: ${how}.`)
  process.stderr.write(`\n!!! SKIPPED: there is no ${what}. To run these tests, ${how}.\n\n`)
  return undefined
}

async function onPath({ names }: Wanted): Promise<string | undefined> {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean)
  for (const path of names.flatMap(name => folders.map(folder => join(folder, name)))) {
    if (
      await access(path, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return path
  }
  return undefined
}

function mayInstall(): boolean {
  const isWanted = Boolean(process.env['CI']) || process.env['SYNC_TEST_INSTALL'] === '1'
  return isWanted && process.getuid?.() === 0 && existsSync('/etc/debian_version')
}

/** Several test processes may come here at once: apt lets one work and the others wait. */
async function install(wanted: Wanted): Promise<string | undefined> {
  const apt = (...words: readonly string[]) =>
    promisify(execFile)('apt-get', ['-o', 'DPkg::Lock::Timeout=600', ...words], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      maxBuffer: 64 * 1024 * 1024,
    })
  process.stderr.write(`installing ${wanted.debian} for tests\n`)
  await apt('update')
  await apt('install', '--yes', '--no-install-recommends', wanted.debian)
  return onPath(wanted)
}
