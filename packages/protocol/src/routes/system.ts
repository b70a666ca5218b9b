import type { AppServer } from '../admin/app-server.js'
import type { BackendSecret } from '../admin/backend-secret.js'
import type { JobInfo, JobList } from '../admin/job.js'
import type { License } from '../admin/license.js'
import type { AdminLogin, AdminToken } from '../admin/login.js'
import type { Reset } from '../admin/reset.js'
import type { ServerState } from '../admin/server-state.js'
import type { AdminSession } from '../admin/session.js'
import type { Stats, StatsQuery } from '../admin/stats.js'
import type { TokenInfo, TokenList } from '../admin/token.js'
import { MAX_LOGIN_BYTES } from '../device/limits.js'
import { route } from '../route.js'

/** The server and its API users. */
export const systemRoutes = {
  /** Logs in an API user and returns a token: with `Accept: application/json`, with its expiry and role; otherwise as text. */
  login: route<{ body: AdminLogin; answer: AdminToken }>()({
    method: 'POST',
    path: '/rc/v1/system/login',
    roles: ['open'],
    bodyLimit: MAX_LOGIN_BYTES,
  }),
  /**
   * Signs in a console page: the response sets the cookie `sync_console`, which serves as a token for at most twelve hours. An `Origin` header must
   * name the server or a configured origin.
   */
  signIn: route<{ body: AdminLogin; answer: AdminSession }>()({
    method: 'POST',
    path: '/rc/v1/system/session',
    roles: ['open'],
    bodyLimit: MAX_LOGIN_BYTES,
  }),
  /** Returns the caller of the request, by token or cookie. */
  session: route<{ answer: AdminSession }>()({
    method: 'GET',
    path: '/rc/v1/system/session',
    roles: ['reader', 'plugin'],
  }),
  /** Ends the session of the cookie, or revokes the token of the request. */
  signOut: route()({ method: 'DELETE', path: '/rc/v1/system/session', roles: ['reader', 'plugin'] }),
  /** Returns the state of the server: stored data, pending work and warnings. */
  state: route<{ answer: ServerState }>()({ method: 'GET', path: '/rc/v1/system/state', roles: ['reader'] }),
  /** Returns the license terms and the number of devices. */
  license: route<{ answer: License }>()({ method: 'GET', path: '/rc/v1/system/license', roles: ['reader'] }),
  /**
   * Resets the server: removes users, clients, documents, collections and changed settings; devices start over. Keeps the caller's token and the
   * admin.
   */
  reset: route<{ body: Reset }>()({
    method: 'POST',
    path: '/rc/v1/system/reset',
    roles: ['admin'],
    bodyOptional: true,
  }),
  /** Lists unfinished background jobs, in order of queue: queries and writes of sources with queues, and pings. */
  jobs: route<{ query: JobList; answer: readonly JobInfo[] }>()({
    method: 'GET',
    path: '/rc/v1/system/jobs',
    roles: ['reader'],
  }),
  /** Returns the address of the plugin backend. */
  readAppServer: route<{ answer: AppServer }>()({
    method: 'GET',
    path: '/rc/v1/system/appserver',
    roles: ['reader', 'plugin'],
  }),
  /**
   * Sets or clears the address of the plugin backend. Device logins with their passwords, and calls of sources without functions, are sent there,
   * signed. Without `backend` in the configuration, only an admin may set it.
   */
  writeAppServer: route<{ body: AppServer }>()({
    method: 'POST',
    path: '/rc/v1/system/appserver',
    roles: ['plugin'],
  }),
  /** Returns the secret that the plugin backend shares with the server. */
  readBackendSecret: route<{ answer: BackendSecret }>()({
    method: 'GET',
    path: '/rc/v1/system/appserver/secret',
    roles: ['admin'],
  }),
  /**
   * Returns statistics per minute of requests, source calls, users and clients: the keys that match a pattern, or the statistics of one key. Buckets
   * of durations have `time` (Unix seconds), `count`, `sum`, `min` and `max` (seconds); buckets of gauges have `time` and `value`.
   */
  stats: route<{ query: StatsQuery; answer: Stats }>()({
    method: 'GET',
    path: '/rc/v1/system/stats',
    roles: ['reader'],
  }),
  /** Lists valid API tokens, oldest first: the caller's, or all for an admin. */
  tokens: route<{ query: TokenList; answer: readonly TokenInfo[] }>()({
    method: 'GET',
    path: '/rc/v1/system/tokens',
    roles: ['reader', 'plugin'],
  }),
  /** Revokes a token. */
  revokeToken: route()({ method: 'DELETE', path: '/rc/v1/system/tokens/<token_id>', roles: ['reader', 'plugin'] }),
} as const
