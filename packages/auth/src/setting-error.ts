import { SyncError } from '@godwit/protocol'

/** Returns the error for an invalid option. */
export const settingError = (name: string, expected: string, got: string): SyncError =>
  new SyncError('value_not_allowed', `${name}: expected ${expected}, got ${got}.`)

/** Returns the kind of a value for messages, without its content, which may be a secret. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`
}
