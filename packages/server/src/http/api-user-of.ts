import { type Role, SyncError } from '@godwit/protocol'
import type { Caller } from './handler.js'

/** A caller on a route of the API, where `who` has found a token. */
export interface ApiUser {
  readonly login: string
  readonly role: Role
}

/** Returns the API user who calls. Throws `token_missing` on a route that was called without a token. */
export function apiUserOf({ login, role }: Caller): ApiUser {
  if (login !== undefined) return { login, role }
  throw new SyncError('token_missing', 'There is no API token. Log in with POST /rc/v1/system/login.')
}
