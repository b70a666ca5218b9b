import { SyncError } from '@godwit/protocol'

/** Throws if this Node is too old. Call it before loading a driver, because better-sqlite3 crashes an older Node without a message. */
export function requireNode(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 18)) return
  throw new SyncError(
    'value_not_allowed',
    `@godwit/model: expected Node >= 22.18, found ${version}. Install Node 24 (or 22.18 or newer) and start again.`,
  )
}
