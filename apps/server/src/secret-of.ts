import { readFileSync } from 'node:fs'
import { SyncError } from '@godwit/protocol'
import type { Environment } from './environment.js'

/**
 * Returns a secret of the environment: the variable's text, or the content of the file named by the variable with `_FILE`, without the final line
 * break. Undefined if neither is set. Throws `value_not_allowed` if both are set, or the file is unreadable or empty; the message never contains the
 * secret.
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
