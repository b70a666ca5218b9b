import { readFileSync } from 'node:fs'
import { SyncError } from '@godwit/protocol'
import type { Environment } from './environment.js'

/**
 * A secret of the environment: the text of the variable, or what is in the file whose path the variable with `_FILE` has, but for the end of its last line.
 * Undefined: neither is set. Throws `value_not_allowed` where both are, or the file cannot be read or is empty; it never says what is in it.
 */
export function secretOf(environment: Environment, name: string): string | undefined {
  const given = environment[name] || undefined
  const path = environment[`${name}_FILE`]?.trim() || undefined
  if (path === undefined) return given
  if (given !== undefined) throw secretError(name, `expected this or ${name}, got both`)
  const text = textOf(name, path).replace(/\r?\n$/, '')
  if (text === '') throw secretError(name, `expected a file with a secret, ${path} is empty`)
  return text
}

function textOf(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw secretError(
      name,
      `expected the path of a file that can be read, got ${path} (${(cause as NodeJS.ErrnoException).code})`,
    )
  }
}

const secretError = (name: string, why: string): SyncError =>
  new SyncError('value_not_allowed', `${name}_FILE: ${why}.`)
