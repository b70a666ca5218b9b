import { SyncError } from '@godwit/protocol'
import type { ClientRecord } from '../users/client-record.js'
import type { Caller } from './handler.js'

/** A caller on a route of devices, where `who` has found a session. */
export interface SessionCaller {
  readonly login: string
  readonly credential: string
}

export function deviceOf({ login, credential }: Caller): SessionCaller {
  if (login !== undefined && credential !== undefined) return { login, credential }
  throw new SyncError('session_missing', 'There is no session. Log in with POST /rc/v1/app/login.')
}

/** The client on a route that names one, found by `who` to be the caller's own. */
export function clientOf({ client }: Caller): ClientRecord {
  if (client) return client
  throw new SyncError('client_missing', 'No client is named. Create one with POST /rc/v1/clients.')
}
