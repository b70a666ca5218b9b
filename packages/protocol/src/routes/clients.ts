import type { ClientInfo, ClientLine, ClientList, ClientSource } from '../admin/client.js'
import type { DocumentContent, DocumentNames, DocumentWrite } from '../admin/document.js'
import { route } from '../route.js'

const bodyLimit = 32 * 1024 * 1024

/** Clients (devices) of all users, and the documents of each client's sources. */
export const clientsRoutes = {
  /** Lists client ids in order, a page at a time. */
  list: route<{ query: ClientList; answer: readonly string[] }>()({
    method: 'GET',
    path: '/rc/v1/clients',
    roles: ['reader'],
  }),
  /** Returns a client: its push addresses, last sync, and position in each source. */
  get: route<{ answer: ClientInfo }>()({ method: 'GET', path: '/rc/v1/clients/<client_id>', roles: ['reader'] }),
  /** Lists clients in order of id, a page at a time, each with its push addresses and last sync. */
  page: route<{ query: ClientList; answer: readonly ClientLine[] }>()({
    method: 'GET',
    path: '/rc/v1/system/clients',
    roles: ['reader'],
  }),
  /** Returns the sync state of each source on a client: its position, queued mutations, and unacknowledged outcomes. */
  sources: route<{ answer: readonly ClientSource[] }>()({
    method: 'GET',
    path: '/rc/v1/clients/<client_id>/sources',
    roles: ['reader'],
  }),
  /** Signs out one device; other devices of the user stay signed in. The device keeps its data and asks for a login before the next sync. */
  endSession: route()({ method: 'DELETE', path: '/rc/v1/clients/<client_id>/session', roles: ['operator'] }),
  /** Lists the documents of a source for this client: names with REST paths. */
  documentNames: route<{ answer: DocumentNames }>()({
    method: 'GET',
    path: '/rc/v1/clients/<client_id>/sources/<source_id>/docnames',
    roles: ['reader'],
  }),
  /** Returns a document of a source for this client. `cd` is the data that the client has: the objects of the source up to its last position. */
  readDocument: route<{ answer: DocumentContent }>()({
    method: 'GET',
    path: '/rc/v1/clients/<client_id>/sources/<source_id>/docs/<doc>',
    roles: ['reader'],
  }),
  /**
   * Writes a document of a source for this client. Writing any object map to `cd` makes the client's next pull of the source a resync; other computed
   * documents are read-only.
   */
  writeDocument: route<{ body: DocumentWrite }>()({
    method: 'POST',
    path: '/rc/v1/clients/<client_id>/sources/<source_id>/docs/<doc>',
    roles: ['operator'],
    bodyLimit,
  }),
} as const
