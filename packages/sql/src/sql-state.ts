/** The fields of errors of `pg`, `mysql2` and SQLite drivers. */
interface DriverError {
  readonly code?: unknown
  readonly sqlState?: unknown
  readonly errno?: unknown
  readonly errcode?: unknown
  readonly constraint?: unknown
  readonly message?: unknown
}

/** Returns the SQLSTATE of an error, if the database gave one. */
export function sqlState(error: unknown): string | undefined {
  const { code, sqlState: state } = (error ?? {}) as DriverError
  if (typeof state === 'string' && /^[0-9A-Z]{5}$/.test(state)) return state
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/** Returns the name of the constraint that a write violated, if the database named it. */
export function constraintOf(error: unknown): string | undefined {
  const { constraint, message } = (error ?? {}) as DriverError
  if (typeof constraint === 'string') return constraint
  const text = typeof message === 'string' ? message : ''
  return (/(?:CONSTRAINT|constraint) [`'"]([^`'"]+)[`'"]/.exec(text) ??
    /for key '([^']+)'/.exec(text) ??
    /constraint failed: (.+)$/.exec(text))?.[1]
}
