import { SyncError } from '@godwit/protocol'

// URL parsers remove dot segments from paths, so such a user could not be addressed.
const RESERVED: ReadonlySet<string> = new Set(['', '*', '__shared__', '.', '..'])
const MAX_BYTES = 1024

/** True if the text can be a login: well-formed, 1 to 1,024 bytes, and not reserved. */
export const isLogin = (login: string): boolean => flawOf(login) === undefined

/** Throws `name_reserved` or `body_invalid` unless the value can be a login. */
export function checkLogin(login: unknown, path = '/attributes/login'): asserts login is string {
  const flaw = typeof login === 'string' ? flawOf(login) : `expected text, got ${kindOf(login)}`
  if (flaw === undefined) return
  const code = RESERVED.has(login as string) ? 'name_reserved' : 'body_invalid'
  const errors = [{ path, message: flaw }]
  throw new SyncError(code, `The login is not valid: ${flaw}.`, { details: { errors } })
}

function flawOf(login: string): string | undefined {
  if (RESERVED.has(login))
    return `expected a name that is not reserved ('', *, __shared__, . and ..), got ${JSON.stringify(login)}`
  if (!login.isWellFormed()) return 'expected well-formed Unicode, got half a surrogate pair'
  const bytes = Buffer.byteLength(login)
  return bytes > MAX_BYTES ? `expected at most ${MAX_BYTES} bytes of UTF-8, got ${bytes}` : undefined
}

const kindOf = (value: unknown): string =>
  value === undefined ? 'nothing' : value === null ? 'null' : `a value of type ${typeof value}`
