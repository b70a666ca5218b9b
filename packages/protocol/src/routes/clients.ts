import type { ClientInfo, ClientList } from '../admin/client.js'
import { route } from '../route.js'

/** Clients (devices) of all users. */
export const clientsRoutes = {
  list: route<{ query: ClientList; answer: readonly string[] }>()({
    method: 'GET',
    path: '/rc/v1/clients',
    roles: ['reader'],
  }),
  get: route<{ answer: ClientInfo }>()({ method: 'GET', path: '/rc/v1/clients/<client_id>', roles: ['reader'] }),
} as const
