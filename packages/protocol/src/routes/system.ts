import type { AdminLogin, AdminToken } from '../admin/login.js'
import { route } from '../route.js'

/** The server as a whole. */
export const systemRoutes = {
  login: route<{ body: AdminLogin; answer: AdminToken }>()({
    method: 'POST',
    path: '/rc/v1/system/login',
    roles: ['open'],
  }),
} as const
