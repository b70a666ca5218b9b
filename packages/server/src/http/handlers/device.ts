import {
  type DeviceLogin,
  HINT_HEADER,
  type PartitionPull,
  type Pull,
  type PullBody,
  type Routes,
  readParameters,
  SESSION_COOKIE,
  SyncError,
  USER_ROLES,
} from '@godwit/protocol'
import { READ_BYTES } from '@godwit/store'
import { revoke } from '../../accounts/access/credentials.js'
import { logIn } from '../../accounts/access/log-in.js'
import { logInByToken } from '../../accounts/access/log-in-by-token.js'
import type { ClientRecord } from '../../accounts/users/client-record.js'
import { createClient, registerClient, resetClient } from '../../accounts/users/clients.js'
import { publicKeyOf } from '../../admin/ping/public-key.js'
import { reportLogin } from '../../admin/watch/report-login.js'
import { announceEnd } from '../../backend/sources/channels.js'
import { EventStreamReply, TextReply } from '../../base/text-reply.js'
import { readBlob } from '../../device/blobs/read-blob.js'
import { uploadBlob } from '../../device/blobs/upload-blob.js'
import { bulkData } from '../../device/bulk/bulk-data.js'
import { readBulk } from '../../device/bulk/read-bulk.js'
import { pull } from '../../device/pull/pull.js'
import { pullPartitions } from '../../device/pull/pull-partitions.js'
import { recordWanted } from '../../device/pull/record-wanted.js'
import { push } from '../../device/push/push.js'
import { getObjects } from '../../device/repair/get-objects.js'
import { listVersions } from '../../device/repair/list-versions.js'
import { search } from '../../device/search/search.js'
import { auditLogin } from '../audit-rules.js'
import { type CookieOptions, cookieText } from '../cookie-text.js'
import type { AnyHandlerRequest, Caller, Handlers } from '../handler.js'
import type { HttpEngine } from '../http-engine.js'

const HINT = HINT_HEADER.toLowerCase()

export const deviceHandlers: Handlers<Routes['device']> = {
  login: {
    handle: async (engine, { body, secure, address }) => {
      const { user, secret, expiresAt } = await reportLogin(
        engine,
        { login: body.login ?? '', api: false },
        async () => {
          const { user, given } = await logInBy(engine, body, address)
          return { user, login: user.login, role: user.role, ...given }
        },
      )
      const session = {
        login: user.login,
        user_id: user.userId,
        session: secret,
        expires_at: new Date(expiresAt).toISOString(),
      }
      const seconds = Math.ceil((expiresAt - engine.clock()) / 1000)
      const cookie = sessionCookie(secret, { seconds, secure })
      return new TextReply(JSON.stringify(session), { headers: { 'set-cookie': cookie } })
    },
    audit: auditLogin(USER_ROLES.filter(role => role !== 'device')),
  },
  logout: async (engine, { caller, secure }) => {
    const { credential, login } = deviceOf(caller)
    await revoke(engine, credential)
    await announceEnd(engine.store, login)
    return new TextReply('{}', { headers: { 'set-cookie': sessionCookie('', { seconds: 0, secure }) } })
  },
  createClient: async (engine, { caller }) => ({
    client: { client_id: await createClient(engine, deviceOf(caller)) },
  }),
  registerClient: async (engine, { parameters, body }) => {
    await registerClient(engine, parameters.client_id, body)
    return {}
  },
  pushKey: async ({ pushProviders }) => ({ public_key: publicKeyOf(pushProviders) }),
  resetClient: async (engine, { parameters, body }) => {
    await resetClient(engine, parameters.client_id, body)
    return {}
  },
  pull: (engine, request) =>
    pullPage(engine, request, { ...request.query, parameters: queryParametersOf(request.query) }),
  pullByBody: (engine, request) =>
    request.body.pulls === undefined
      ? pullPage(engine, request, request.body)
      : pullPages(engine, request, { ...request.body, pulls: request.body.pulls }),
  events: ({ hub }, { caller }) => {
    const { login, credential } = deviceOf(caller)
    const stream = hub.open({ login, credential, client: clientOf(caller).id })
    return new EventStreamReply(stream, stream.cut)
  },
  push: (engine, { parameters, body, caller }) => {
    const client = clientOf(caller)
    return push(engine, { source: parameters.source_name, user: client.user, client, push: body })
  },
  versions: async (engine, request) => {
    const { parameters, query, caller, lease } = request
    await lease.take(READ_BYTES, request)
    const of = { source: parameters.source_name, user: clientOf(caller).user }
    return listVersions(engine, { ...of, ...query, parameters: readParameters(query.parameters) })
  },
  objects: async (engine, request) => {
    const { parameters, body, caller, lease } = request
    await lease.take(READ_BYTES, request)
    return getObjects(engine, { source: parameters.source_name, user: clientOf(caller).user, ...body, lease })
  },
  uploadBlob: (engine, { parameters, query, body, caller }) =>
    uploadBlob(engine, {
      source: parameters.source_name,
      user: deviceOf(caller).login,
      ...query,
      parameters: readParameters(query.parameters),
      bytes: body,
    }),
  readBlob: (engine, { parameters: { source_name, hash }, query: { object, parameters }, caller }) =>
    readBlob(engine, {
      source: source_name,
      user: deviceOf(caller).login,
      hash,
      object,
      parameters: readParameters(parameters),
    }),
  search: (engine, { body, caller }) => search(engine, deviceOf(caller).login, body),
  bulkData: (engine, { body, caller }) => bulkData(engine, clientOf(caller), body),
  bulkFile: (engine, { parameters: { bulk_id, hash }, caller }) =>
    readBulk(engine, { user: deviceOf(caller).login, key: bulk_id, hash }),
}

/** Logs in by a token, or by login and password. Throws `body_invalid` for anything else. */
function logInBy(engine: HttpEngine, { login, password, token }: DeviceLogin, address: string) {
  if (token !== undefined && login === undefined && password === undefined) return logInByToken(engine, token, address)
  if (token === undefined && login !== undefined && password !== undefined)
    return logIn(engine, { login, password }, address)
  const message = 'expected either login and password, or token, got another combination'
  throw new SyncError('body_invalid', `The body is not valid: ${message}.`, {
    details: { errors: [{ path: '', message }] },
  })
}

type PullRequest = Pick<AnyHandlerRequest, 'caller' | 'headers' | 'signal' | 'lease'> & {
  readonly parameters: { readonly source_name: string }
}

function pullPage(engine: HttpEngine, request: PullRequest, pullBody: PullBody): ReturnType<typeof pull> {
  const { token, p_size: pageSize, acknowledged, stored_token: storedToken, parameters = {} } = pullBody
  const passThrough = pullBody.pass_through ?? false
  const client = clientOf(request.caller)
  const source = request.parameters.source_name
  const isHinted = request.headers[HINT] === '1'
  const place = { source, user: client.user, client, token, storedToken, pageSize, acknowledged }
  return pull(engine, { ...place, passThrough, isHinted, parameters, caller: request, lease: request.lease })
}

async function pullPages(
  engine: HttpEngine,
  request: PullRequest,
  { pulls, subscribed = false }: PullBody & { readonly pulls: readonly PartitionPull[] },
): Promise<TextReply> {
  const client = clientOf(request.caller)
  const source = request.parameters.source_name
  const isHinted = request.headers[HINT] === '1'
  const reply = await pullPartitions(engine, {
    ...{ source, user: client.user, client, pulls, isHinted },
    ...{ caller: request, lease: request.lease },
  })
  await recordWanted(engine, client, { source, pulls, isWhole: subscribed })
  return reply
}

const sessionCookie = (secret: string, options: Omit<CookieOptions, 'sameSite'>): string =>
  cookieText(SESSION_COOKIE, secret, { ...options, sameSite: 'Lax' })

/** The members of a pull's query string that belong to the protocol. */
const PULL_PARAMETERS: ReadonlySet<string> = new Set<keyof Pull>([
  'token',
  'p_size',
  'acknowledged',
  'pass_through',
  'stored_token',
])

/** Returns the query parameters of an app's sync: every other member; most requests have none. */
function queryParametersOf(query: object): { readonly [name: string]: string } {
  if (Object.keys(query).every(name => PULL_PARAMETERS.has(name))) return {}
  return Object.fromEntries(Object.entries(query).filter(([name]) => !PULL_PARAMETERS.has(name)))
}

/** The caller of a device route, identified by a session. */
interface SessionCaller {
  readonly login: string
  readonly credential: string
}

function deviceOf({ login, credential }: Caller): SessionCaller {
  if (login !== undefined && credential !== undefined) return { login, credential }
  throw new SyncError('session_missing', 'There is no session. Log in with POST /rc/v1/app/login.')
}

/** Returns the client that the route names, which was verified to belong to the caller. */
function clientOf({ client }: Caller): ClientRecord {
  if (client) return client
  throw new SyncError('client_missing', 'Missing header X-Sync-CLIENT-ID. Create a client with POST /rc/v1/clients.')
}
