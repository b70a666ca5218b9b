import {
  API_TOKEN_HEADER,
  CLIENT_ID_HEADER,
  CONSOLE_COOKIE,
  type RouteLine,
  SESSION_COOKIE,
  SyncError,
} from '@godwit/protocol'
import type { RegistryRecord } from '@godwit/store'
import { type Credential, credentialOf, isSignedOut, type Purpose } from '../accounts/access/credentials.js'
import type { LastUseRecorder } from '../accounts/access/last-use.js'
import { storedForm } from '../accounts/access/secrets.js'
import { ownClient } from '../accounts/users/client-record.js'
import { countOpened } from '../accounts/users/push-counts.js'
import { bearerOf } from './bearer.js'
import { cookieOf } from './cookie-text.js'
import type { Caller } from './handler.js'
import type { HttpEngine } from './http-engine.js'
import type { HttpRequest } from './http-request.js'
import { checkOrigin } from './origin.js'
import { readQuery } from './query-string.js'
import type { RouteMatch } from './router.js'

/** The context for identifying a caller. */
export interface CallerContext {
  readonly engine: HttpEngine
  readonly lastUse: LastUseRecorder
}

const TOKEN = API_TOKEN_HEADER.toLowerCase()
const CLIENT = CLIENT_ID_HEADER.toLowerCase()
const ANONYMOUS: Caller = { role: 'open' }

/** Identifies the caller as the route requires: by a session for device routes, by a token for others. */
export function identifyCaller(door: CallerContext, match: RouteMatch, call: HttpRequest): Promise<Caller> | Caller {
  const { roles } = match.endpoint.route
  if (roles.includes('open')) return ANONYMOUS
  return roles.includes('device') ? deviceOf(door, match, call) : apiUserOf(door, call)
}

async function deviceOf({ engine, lastUse }: CallerContext, match: RouteMatch, call: HttpRequest): Promise<Caller> {
  const { registry } = engine.store
  const secret = sessionSecret(engine, call)
  const { route } = match.endpoint
  const clientId = route.client ? clientNamed(route, call) : match.parameters['client_id']
  const [record, client] = await Promise.all([
    registry.get('credential', storedForm(secret)),
    clientId ? registry.get('client', clientId) : undefined,
  ])
  const credential = credentialOf(record, 'session')
  if (!credential) throw sessionMissing('The session is unknown or was revoked.')
  if (isOver(engine, credential)) throw new SyncError('session_expired', 'The session has expired. Log in again.')
  lastUse.credential(credential)
  const { login, userId, role, id } = credential
  if (!clientId) {
    if (!route.client) return { role, login, userId, credential: id }
    throw new SyncError(
      'client_missing',
      `The header ${CLIENT_ID_HEADER} is missing: send the id of the calling client.`,
    )
  }
  const own = ownClient(client, clientId, login)
  if (client && isSignedOut(client, credential)) throw sessionMissing('The device was signed out.')
  if (route.client) lastUse.client(clientId, lastSeenAt(client, id), id, client && countOpened(client.value))
  return { role, login, userId, credential: id, client: own }
}

async function apiUserOf({ engine, lastUse }: CallerContext, call: HttpRequest): Promise<Caller> {
  const { secret, purpose } = apiSecret(engine, call)
  const credential = credentialOf(await engine.store.registry.get('credential', storedForm(secret)), purpose)
  if (!credential) throw new SyncError('token_invalid', 'The API token is unknown or was revoked. Log in again.')
  if (isOver(engine, credential)) throw new SyncError('token_expired', 'The API token has expired. Log in again.')
  lastUse.credential(credential)
  const { login, userId, role, id } = credential
  return { role, login, userId, credential: id }
}

/** A token takes precedence; a console cookie counts only for a page of the server's own or a configured origin. */
function apiSecret({ origins }: HttpEngine, call: HttpRequest): { readonly secret: string; readonly purpose: Purpose } {
  const token = call.headers[TOKEN]
  if (token) return { secret: token, purpose: 'token' }
  const secret = cookieOf(call.headers['cookie'], CONSOLE_COOKIE)
  if (!secret)
    throw new SyncError(
      'token_missing',
      `The header ${API_TOKEN_HEADER} is missing. Log in with POST /rc/v1/system/login.`,
    )
  checkOrigin(call, origins)
  return { secret, purpose: 'console' }
}

const clientNamed = ({ clientInQuery }: RouteLine, { headers, search }: HttpRequest): string | undefined =>
  headers[CLIENT] ?? (clientInQuery ? readQuery(search)['client_id'] : undefined)

/** Returns 0 if another session used the client last, so that the new session is recorded at once. */
const lastSeenAt = (client: RegistryRecord | undefined, session: string): number =>
  client?.value['session'] === session ? Number(client.value['seen_at'] ?? 0) : 0

const isOver = ({ clock }: HttpEngine, { expiresAt }: Credential): boolean => expiresAt <= clock()

const sessionMissing = (why: string): SyncError =>
  new SyncError('session_missing', `${why} Log in with POST /rc/v1/app/login.`)

/** A bearer token takes precedence; a cookie counts only for a page of the server's own or a configured origin. */
function sessionSecret({ origins }: HttpEngine, call: HttpRequest): string {
  const { authorization, cookie } = call.headers
  const bearer = bearerOf(authorization)
  if (bearer !== undefined) return bearer
  const secret = cookieOf(cookie, SESSION_COOKIE)
  if (!secret) throw sessionMissing('There is no session: neither a bearer nor the cookie.')
  checkOrigin(call, origins)
  return secret
}
