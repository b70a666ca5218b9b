import { SyncError } from '@godwit/protocol'
import type { Store } from '@godwit/store'
import { storedForm } from './secrets.js'

type Registry = Store['registry']

/** Sessions that one token may be exchanged for: a lost response is repeated, and two pages may share a token. */
const MAX_SESSIONS = 10

/**
 * Throws `token_invalid` if a session that this token was exchanged for has ended by a logout or by an operator: such a token must not bring it back.
 */
export async function checkNotReplayed(registry: Registry, token: string): Promise<void> {
  const record = await registry.get('exchange', storedForm(token))
  if (record === undefined) return
  const sessions = Object.keys(record.value)
  const present = await Promise.all(sessions.map(id => registry.get('credential', id)))
  if (present.some(session => session === undefined))
    throw new SyncError(
      'token_invalid',
      'The session of this token has ended. Get a new token from the identity provider.',
    )
  if (sessions.length >= MAX_SESSIONS)
    throw new SyncError(
      'token_invalid',
      `The token was exchanged ${MAX_SESSIONS} times. Get a new one for each device.`,
    )
}

/** Records the session of a token until the token expires. */
export async function recordExchange(
  registry: Registry,
  token: string,
  { session, until }: { readonly session: string; readonly until: number },
): Promise<void> {
  const id = storedForm(token)
  if (await registry.create('exchange', { id, value: { [session]: true }, expiresAt: until })) return
  await registry.merge('exchange', id, { [session]: true })
}
