import type { AppServer } from '../admin/app-server.js'
import type { License } from '../admin/license.js'
import type { AdminLogin, AdminToken } from '../admin/login.js'
import type { Reset } from '../admin/reset.js'
import type { Stats, StatsQuery } from '../admin/stats.js'
import type { TokenInfo, TokenList } from '../admin/token.js'
import { route } from '../route.js'

/** The server as a whole. */
export const systemRoutes = {
  login: route<{ body: AdminLogin; answer: AdminToken }>()({
    method: 'POST',
    path: '/rc/v1/system/login',
    roles: ['open'],
  }),
  license: route<{ answer: License }>()({ method: 'GET', path: '/rc/v1/system/license', roles: ['reader'] }),
  reset: route<{ body: Reset }>()({
    method: 'POST',
    path: '/rc/v1/system/reset',
    roles: ['admin'],
    bodyOptional: true,
  }),
  readAppServer: route<{ answer: AppServer }>()({
    method: 'GET',
    path: '/rc/v1/system/appserver',
    roles: ['reader', 'plugin'],
  }),
  writeAppServer: route<{ body: AppServer }>()({
    method: 'POST',
    path: '/rc/v1/system/appserver',
    roles: ['plugin'],
  }),
  stats: route<{ query: StatsQuery; answer: Stats }>()({
    method: 'GET',
    path: '/rc/v1/system/stats',
    roles: ['reader'],
  }),
  tokens: route<{ query: TokenList; answer: readonly TokenInfo[] }>()({
    method: 'GET',
    path: '/rc/v1/system/tokens',
    roles: ['reader', 'plugin'],
  }),
  revokeToken: route()({ method: 'DELETE', path: '/rc/v1/system/tokens/<token_id>', roles: ['reader', 'plugin'] }),
} as const
