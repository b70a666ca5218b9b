import type { AppServer } from '../admin/app-server.js'
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

/** The server as a whole. */
export const systemRoutes = {
  /** An API user logs in and gets a token: with `Accept: application/json` its end and role too, else the bare token as text. */
  login: route<{ body: AdminLogin; answer: AdminToken }>()({
    method: 'POST',
    path: '/rc/v1/system/login',
    roles: ['open'],
    bodyLimit: MAX_LOGIN_BYTES,
  }),
  /** A page signs in: the answer sets the cookie `sync_console`, which stands for a token until it ends after twelve hours at most. With an `Origin`, that of the server or a configured one. */
  signIn: route<{ body: AdminLogin; answer: AdminSession }>()({
    method: 'POST',
    path: '/rc/v1/system/session',
    roles: ['open'],
    bodyLimit: MAX_LOGIN_BYTES,
  }),
  /** Who calls, by whatever token or cookie. */
  session: route<{ answer: AdminSession }>()({
    method: 'GET',
    path: '/rc/v1/system/session',
    roles: ['reader', 'plugin'],
  }),
  /** Ends the session of the cookie, or the token of the call. */
  signOut: route()({ method: 'DELETE', path: '/rc/v1/system/session', roles: ['reader', 'plugin'] }),
  /** How the server is: what it holds, what waits, and what should be looked after. */
  state: route<{ answer: ServerState }>()({ method: 'GET', path: '/rc/v1/system/state', roles: ['reader'] }),
  /** The terms in use, and how many devices use the server under them. */
  license: route<{ answer: License }>()({ method: 'GET', path: '/rc/v1/system/license', roles: ['reader'] }),
  /** Empties the server: users, clients, documents, collections and changed settings are removed, and devices start over. The caller's token and the admin stay. */
  reset: route<{ body: Reset }>()({
    method: 'POST',
    path: '/rc/v1/system/reset',
    roles: ['admin'],
    bodyOptional: true,
  }),
  /** Work outside of requests that is not done: queries and writes of sources with queues, pings. In order of queue. */
  jobs: route<{ query: JobList; answer: readonly JobInfo[] }>()({
    method: 'GET',
    path: '/rc/v1/system/jobs',
    roles: ['reader'],
  }),
  /** The address of the plugin backend. */
  readAppServer: route<{ answer: AppServer }>()({
    method: 'GET',
    path: '/rc/v1/system/appserver',
    roles: ['reader', 'plugin'],
  }),
  /** Sets or clears the address of the plugin backend. */
  writeAppServer: route<{ body: AppServer }>()({
    method: 'POST',
    path: '/rc/v1/system/appserver',
    roles: ['plugin'],
  }),
  /** What was counted minute by minute of requests, calls of sources, users and clients: the keys that match a pattern, or the statistics of one key. Buckets of durations have `time` (Unix seconds), `count`, `sum`, `min` and `max` (seconds); those of levels `time` and `value`. */
  stats: route<{ query: StatsQuery; answer: Stats }>()({
    method: 'GET',
    path: '/rc/v1/system/stats',
    roles: ['reader'],
  }),
  /** API tokens that open something, oldest first: one's own, and for an admin everybody's. */
  tokens: route<{ query: TokenList; answer: readonly TokenInfo[] }>()({
    method: 'GET',
    path: '/rc/v1/system/tokens',
    roles: ['reader', 'plugin'],
  }),
  /** From then on the token opens nothing. */
  revokeToken: route()({ method: 'DELETE', path: '/rc/v1/system/tokens/<token_id>', roles: ['reader', 'plugin'] }),
} as const
