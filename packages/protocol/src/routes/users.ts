import type { DocumentContent, DocumentNames, DocumentWrite } from '../admin/document.js'
import type { Ping, Pinged } from '../admin/ping.js'
import type { User, UserCreate, UserCreated, UserList, UserUpdate } from '../admin/user.js'
import { route } from '../route.js'

const bodyLimit = 32 * 1024 * 1024

/** Users, their clients, and the documents of their partitions. */
export const usersRoutes = {
  create: route<{ body: UserCreate; answer: UserCreated }>()({
    method: 'POST',
    path: '/rc/v1/users',
    roles: ['admin'],
  }),
  list: route<{ query: UserList; answer: readonly string[] }>()({
    method: 'GET',
    path: '/rc/v1/users',
    roles: ['reader'],
  }),
  get: route<{ answer: User }>()({ method: 'GET', path: '/rc/v1/users/<user_id>', roles: ['reader'] }),
  update: route<{ body: UserUpdate }>()({ method: 'PUT', path: '/rc/v1/users/<user_id>', roles: ['operator'] }),
  delete: route()({ method: 'DELETE', path: '/rc/v1/users/<user_id>', roles: ['admin'] }),
  clients: route<{ answer: readonly string[] }>()({
    method: 'GET',
    path: '/rc/v1/users/<user_id>/clients',
    roles: ['reader'],
  }),
  deleteClient: route()({ method: 'DELETE', path: '/rc/v1/users/<user_id>/clients/<client_id>', roles: ['operator'] }),
  ping: route<{ body: Ping; answer: Pinged }>()({
    method: 'POST',
    path: '/rc/v1/users/ping',
    roles: ['operator', 'plugin'],
  }),
  documentNames: route<{ answer: DocumentNames }>()({
    method: 'GET',
    path: '/rc/v1/users/<user_id>/sources/<source_id>/docnames',
    roles: ['reader'],
  }),
  readDocument: route<{ answer: DocumentContent }>()({
    method: 'GET',
    path: '/rc/v1/users/<user_id>/sources/<source_id>/docs/<doc>',
    roles: ['reader'],
  }),
  writeDocument: route<{ body: DocumentWrite }>()({
    method: 'POST',
    path: '/rc/v1/users/<user_id>/sources/<source_id>/docs/<doc>',
    roles: ['operator'],
    bodyLimit,
  }),
} as const
