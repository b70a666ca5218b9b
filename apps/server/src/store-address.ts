import { SyncError } from '@godwit/protocol'
import type { Environment } from './environment.js'
import { secretOf } from './secret-of.js'

/** Returns the address of the store from the environment. The password of Redis may be in a separate variable. */
export function storeAddress(environment: Environment): string {
  const address = secretOf(environment, 'SYNC_STORE')?.trim() || 'sqlite:data/godwit.sqlite'
  const password = secretOf(environment, 'SYNC_REDIS_PASSWORD')
  return password === undefined ? address : withPassword(address, password)
}

/** True if several processes may serve the store of an address and share its jobs. */
export const isShared = (address: string): boolean => /^rediss?(-[a-z]+)?:/.test(address)

/** Returns the path in the address of a SQLite store; undefined for a store without a file. */
export function sqlitePath(address: string): string | undefined {
  const path = address.startsWith('sqlite:') ? address.slice('sqlite:'.length) : ''
  return path === '' || path === ':memory:' ? undefined : path
}

function withPassword(address: string, password: string): string {
  const [, scheme = '', login, rest = ''] = /^(rediss?(?:-[a-z]+)?:\/\/)(?:([^@/?]*)@)?(.*)$/s.exec(address) ?? []
  if (scheme === '') throw passwordError('expected a redis: store in SYNC_STORE, got another one')
  if (login !== undefined && !login.endsWith(':'))
    throw passwordError('expected none in the address as well, SYNC_STORE has one')
  return `${scheme}${login ?? ':'}${encodeURIComponent(password)}@${rest}`
}

const passwordError = (why: string): SyncError => new SyncError('value_not_allowed', `SYNC_REDIS_PASSWORD: ${why}.`)
