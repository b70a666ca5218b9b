import { CLIENT_ID_HEADER } from '@godwit/protocol'
import type { SimulatedWorld } from '../world/world.js'
import type { WholeResponse } from './servers.js'

interface AdminRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: object
  /** A binary body, sent instead of `body`. */
  readonly bytes?: Uint8Array
  /** The session token. Default: the administrator's API token is sent. */
  readonly session?: string
  /** The id of the client, sent with a session. */
  readonly client?: string | undefined
}

/** Sends one request to the REST API. Returns undefined if no server responds, or one responds with a 5xx status. */
export async function attempt(
  world: SimulatedWorld,
  { method, path, body, bytes, session, client }: AdminRequest,
): Promise<WholeResponse | undefined> {
  await world.scheduler.delay(`admin: ${method} ${path}`)
  const sent = new Request(`http://sync.test${path}`, {
    method,
    headers: {
      'content-type': bytes ? 'application/octet-stream' : 'application/json',
      ...(session === undefined ? { 'x-sync-api-token': world.servers.token } : { authorization: `Bearer ${session}` }),
      ...(client !== undefined && { [CLIENT_ID_HEADER]: client }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(bytes && { body: Uint8Array.from(bytes) }),
  })
  const answer = await world.servers.fetch(sent, world.dice).catch(() => undefined)
  return answer && answer.status < 500 ? answer : undefined
}

/** Repeats a request until a server responds with a status below 500. */
export async function request(world: SimulatedWorld, sent: AdminRequest): Promise<WholeResponse> {
  for (;;) {
    const answer = await attempt(world, sent)
    if (answer) return answer
  }
}

/** The result of a login. */
export interface UserSession {
  readonly session: string
  readonly user_id: string
}

/** Logs a user in on another device. Returns undefined if the login is refused. */
export async function sessionOf(world: SimulatedWorld, login: string): Promise<UserSession | undefined> {
  const body = { login, password: 'secret' }
  const answer = await request(world, { method: 'POST', path: '/rc/v1/app/login', body })
  return answer.status === 200 ? (JSON.parse(answer.text) as UserSession) : undefined
}

/** Sets the poll interval of a source. */
export const setInterval = (world: SimulatedWorld, source: string, seconds: number): Promise<WholeResponse> =>
  request(world, { method: 'PUT', path: `/rc/v1/sources/${source}`, body: { data: { poll_interval: seconds } } })
