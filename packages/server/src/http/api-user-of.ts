import { type Role, SyncError } from '@godwit/protocol'
import type { Caller } from './handler.js'

/** The caller of an API route, identified by a token. */
export interface ApiUser {
  readonly login: string
  readonly role: Role
}

/** Returns the calling API user. Throws `token_missing` if the route was called without a token. */
export function apiUserOf({ login, role }: Caller): ApiUser {
  if (login !== undefined) return { login, role }
  throw new SyncError('token_missing', 'There is no API token. Log in with POST /rc/v1/system/login.')
}
