import type { ClientInfo, ClientList } from '../admin/client.js'
import type { DocumentContent, DocumentNames, DocumentWrite } from '../admin/document.js'
import { route } from '../route.js'

const bodyLimit = 32 * 1024 * 1024

/** Clients (devices) of all users, and the documents of what each has of a source. */
export const clientsRoutes = {
  list: route<{ query: ClientList; answer: readonly string[] }>()({
    method: 'GET',
    path: '/rc/v1/clients',
    roles: ['reader'],
  }),
  get: route<{ answer: ClientInfo }>()({ method: 'GET', path: '/rc/v1/clients/<client_id>', roles: ['reader'] }),
  documentNames: route<{ answer: DocumentNames }>()({
    method: 'GET',
    path: '/rc/v1/clients/<client_id>/sources/<source_id>/docnames',
    roles: ['reader'],
  }),
  readDocument: route<{ answer: DocumentContent }>()({
    method: 'GET',
    path: '/rc/v1/clients/<client_id>/sources/<source_id>/docs/<doc>',
    roles: ['reader'],
  }),
  writeDocument: route<{ body: DocumentWrite }>()({
    method: 'POST',
    path: '/rc/v1/clients/<client_id>/sources/<source_id>/docs/<doc>',
    roles: ['operator'],
    bodyLimit,
  }),
} as const
