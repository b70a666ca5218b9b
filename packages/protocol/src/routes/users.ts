import type { DocumentContent, DocumentNames, DocumentWrite } from '../admin/document.js'
import type { ObjectHistory, ObjectHistoryQuery } from '../admin/object-history.js'
import type { ObjectList, ObjectPage } from '../admin/object-page.js'
import type { PartitionState } from '../admin/partition.js'
import type { Ping, PingAnswer } from '../admin/ping.js'
import type { User, UserCreate, UserCreated, UserList, UsersCreate, UsersCreated, UserUpdate } from '../admin/user.js'
import { route } from '../route.js'

const bodyLimit = 32 * 1024 * 1024

/** Users, their clients, and the documents of their partitions. */
export const usersRoutes = {
  /** Makes a user. */
  create: route<{ body: UserCreate; answer: UserCreated }>()({
    method: 'POST',
    path: '/rc/v1/users',
    roles: ['admin'],
  }),
  /**
   * Makes the users that do not exist yet, none where one of them is not valid. Those whose passwords come as hashes take no time; each other one about a
   * quarter of a second of a core.
   */
  createMany: route<{ body: UsersCreate; answer: UsersCreated }>()({
    method: 'POST',
    path: '/rc/v1/users/import',
    roles: ['admin'],
    bodyLimit,
  }),
  /** Logins of the users of one role, sorted: all of them, or a page. */
  list: route<{ query: UserList; answer: readonly string[] }>()({
    method: 'GET',
    path: '/rc/v1/users',
    roles: ['reader'],
  }),
  /** A user. */
  get: route<{ answer: User }>()({ method: 'GET', path: '/rc/v1/users/<user_id>', roles: ['reader'] }),
  /** The users of one role, sorted by login, a page at a time: 100 unless `limit` says otherwise. */
  page: route<{ query: UserList; answer: readonly User[] }>()({
    method: 'GET',
    path: '/rc/v1/system/users',
    roles: ['reader'],
  }),
  /** Merges free attributes of a user. Admins also set roles and passwords, and lock users out. */
  update: route<{ body: UserUpdate }>()({ method: 'PUT', path: '/rc/v1/users/<user_id>', roles: ['operator'] }),
  /** Deletes the user with all devices, sessions and data that is this user's alone. */
  delete: route()({ method: 'DELETE', path: '/rc/v1/users/<user_id>', roles: ['admin'] }),
  /** Ends all sessions of the user's devices: they keep what they have, and ask for a login before they sync again. Of an API user, by admins only, all tokens. */
  endSessions: route()({ method: 'DELETE', path: '/rc/v1/users/<user_id>/sessions', roles: ['operator'] }),
  /** Ids of the user's clients. */
  clients: route<{ answer: readonly string[] }>()({
    method: 'GET',
    path: '/rc/v1/users/<user_id>/clients',
    roles: ['reader'],
  }),
  /** Deletes a client of this user. */
  deleteClient: route()({ method: 'DELETE', path: '/rc/v1/users/<user_id>/clients/<client_id>', roles: ['operator'] }),
  /** Sends a push message to every device of these users. It answers 200 even if none could be reached; with `async` at once, with the job that sends it. */
  ping: route<{ body: Ping; answer: PingAnswer }>()({
    method: 'POST',
    path: '/rc/v1/users/ping',
    roles: ['operator', 'plugin'],
  }),
  /** How this user's copy of a source stands; `*` for the shared copy of an app source. */
  partition: route<{ answer: PartitionState }>()({
    method: 'GET',
    path: '/rc/v1/users/<user_id>/sources/<source_id>',
    roles: ['reader'],
  }),
  /** Objects of a master document, a page at a time, with their versions; all of them, or those that a search finds. */
  objects: route<{ query: ObjectList; answer: ObjectPage }>()({
    method: 'GET',
    path: '/rc/v1/users/<user_id>/sources/<source_id>/objects',
    roles: ['reader'],
  }),
  /** Who changed an object of a master document, and when: its versions, newest first. Their content is not kept. */
  history: route<{ query: ObjectHistoryQuery; answer: ObjectHistory }>()({
    method: 'GET',
    path: '/rc/v1/users/<user_id>/sources/<source_id>/history',
    roles: ['reader'],
  }),
  /** The documents of a source for this user: name → REST path. */
  documentNames: route<{ answer: DocumentNames }>()({
    method: 'GET',
    path: '/rc/v1/users/<user_id>/sources/<source_id>/docnames',
    roles: ['reader'],
  }),
  /** A document of a source for this user. `md` is the master document: every object that the server holds for this user and source. */
  readDocument: route<{ answer: DocumentContent }>()({
    method: 'GET',
    path: '/rc/v1/users/<user_id>/sources/<source_id>/docs/<doc>',
    roles: ['reader'],
  }),
  /** Writes a document of a source for this user. Writing `md` makes changes that devices receive; the other computed ones are read-only. */
  writeDocument: route<{ body: DocumentWrite }>()({
    method: 'POST',
    path: '/rc/v1/users/<user_id>/sources/<source_id>/docs/<doc>',
    roles: ['operator'],
    bodyLimit,
  }),
} as const
