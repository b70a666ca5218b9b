import type { ClientInfo, ClientLine, ClientList, ClientSource } from '../admin/client.js'
import type { DocumentContent, DocumentNames, DocumentWrite } from '../admin/document.js'
import { route } from '../route.js'

const bodyLimit = 32 * 1024 * 1024

/** Clients (devices) of all users, and the documents of what each has of a source. */
export const clientsRoutes = {
  /** Ids of clients in order, a page at a time. */
  list: route<{ query: ClientList; answer: readonly string[] }>()({
    method: 'GET',
    path: '/rc/v1/clients',
    roles: ['reader'],
  }),
  /** A client: how its device says it can be reached, when it last synced, and up to where it has each source. */
  get: route<{ answer: ClientInfo }>()({ method: 'GET', path: '/rc/v1/clients/<client_id>', roles: ['reader'] }),
  /** Clients in order of id, a page at a time, each with how its device can be reached and when it last synced. */
  page: route<{ query: ClientList; answer: readonly ClientLine[] }>()({
    method: 'GET',
    path: '/rc/v1/system/clients',
    roles: ['reader'],
  }),
  /** What a client has of each source, what waits for it there, and what it has not heard of. */
  sources: route<{ answer: readonly ClientSource[] }>()({
    method: 'GET',
    path: '/rc/v1/clients/<client_id>/sources',
    roles: ['reader'],
  }),
  /** Signs one device out: its session ends, others of its user stay. It keeps what it has, and asks for a login before it syncs again. */
  endSession: route()({ method: 'DELETE', path: '/rc/v1/clients/<client_id>/session', roles: ['operator'] }),
  /** The documents of a source for this client: name → REST path. */
  documentNames: route<{ answer: DocumentNames }>()({
    method: 'GET',
    path: '/rc/v1/clients/<client_id>/sources/<source_id>/docnames',
    roles: ['reader'],
  }),
  /** A document of a source for this client. `cd` is what the client is known to have: the objects of the source up to its last position. */
  readDocument: route<{ answer: DocumentContent }>()({
    method: 'GET',
    path: '/rc/v1/clients/<client_id>/sources/<source_id>/docs/<doc>',
    roles: ['reader'],
  }),
  /** Writes a document of a source for this client. Writing `cd`, with any object map, makes the client's next pull of the source a resync; the other computed ones are read-only. */
  writeDocument: route<{ body: DocumentWrite }>()({
    method: 'POST',
    path: '/rc/v1/clients/<client_id>/sources/<source_id>/docs/<doc>',
    roles: ['operator'],
    bodyLimit,
  }),
} as const
