import type { DocumentContent, DocumentNames, DocumentWrite } from '../admin/document.js'
import type { ObjectHistory, ObjectHistoryQuery } from '../admin/object-history.js'
import type { ObjectList, ObjectPage } from '../admin/object-page.js'
import type { PartitionState } from '../admin/partition.js'
import type { Ping, PingAnswer } from '../admin/ping.js'
import type { User, UserCreate, UserCreated, UserList, UsersCreate, UsersCreated, UserUpdate } from '../admin/user.js'
import type { UserSession } from '../admin/user-session.js'
import { route } from '../route.js'

const bodyLimit = 32 * 1024 * 1024

/** Users, their clients, and the documents of their partitions. */
export const usersRoutes = {
  /** Creates a user. */
  create: route<{ body: UserCreate; answer: UserCreated }>()({
    method: 'POST',
    path: '/rc/v1/users',
    roles: ['admin'],
  }),
  /**
   * Creates the users that do not exist yet; none if one of them is invalid. A password takes about a quarter of a second of CPU time to hash; a
   * password hash takes none.
   */
  createMany: route<{ body: UsersCreate; answer: UsersCreated }>()({
    method: 'POST',
    path: '/rc/v1/users/import',
    roles: ['admin'],
    bodyLimit,
  }),
  /** Lists logins of the users of one role, sorted: all, or a page. */
  list: route<{ query: UserList; answer: readonly string[] }>()({
    method: 'GET',
    path: '/rc/v1/users',
    roles: ['reader'],
  }),
  /** Returns a user. */
  get: route<{ answer: User }>()({ method: 'GET', path: '/rc/v1/users/<user_id>', roles: ['reader'] }),
  /** Lists the users of one role, sorted by login, a page at a time. Default `limit` 100. */
  page: route<{ query: UserList; answer: readonly User[] }>()({
    method: 'GET',
    path: '/rc/v1/system/users',
    roles: ['reader'],
  }),
  /** Merges free attributes of a user. Admins may also set roles and passwords, and lock users. */
  update: route<{ body: UserUpdate }>()({ method: 'PUT', path: '/rc/v1/users/<user_id>', roles: ['operator'] }),
  /** Deletes a user with all devices, sessions and data that only this user has. */
  delete: route()({ method: 'DELETE', path: '/rc/v1/users/<user_id>', roles: ['admin'] }),
  /** Lists the sessions of the user's devices that have not expired, oldest first. */
  sessions: route<{ answer: readonly UserSession[] }>()({
    method: 'GET',
    path: '/rc/v1/users/<user_id>/sessions',
    roles: ['reader'],
  }),
  /** Ends one session; the devices that use it keep their data and ask for a login before the next sync. */
  endSession: route()({
    method: 'DELETE',
    path: '/rc/v1/users/<user_id>/sessions/<session_id>',
    roles: ['operator'],
  }),
  /**
   * Ends all sessions of the user's devices, which keep their data and ask for a login before the next sync. For an API user, by admins only, revokes
   * all tokens.
   */
  endSessions: route()({ method: 'DELETE', path: '/rc/v1/users/<user_id>/sessions', roles: ['operator'] }),
  /**
   * Drops what the server remembers of the user's access to partitions of sources with `by`, and tells the user's devices to ask for the list again.
   * Call it when the user's access has changed; otherwise the change holds within `limits.allowCache` seconds.
   */
  refreshPartitions: route()({
    method: 'POST',
    path: '/rc/v1/users/<user_id>/partitions/refresh',
    roles: ['operator', 'plugin'],
    bodyOptional: true,
  }),
  /** Lists ids of the user's clients. */
  clients: route<{ answer: readonly string[] }>()({
    method: 'GET',
    path: '/rc/v1/users/<user_id>/clients',
    roles: ['reader'],
  }),
  /** Deletes a client of this user. */
  deleteClient: route()({ method: 'DELETE', path: '/rc/v1/users/<user_id>/clients/<client_id>', roles: ['operator'] }),
  /**
   * Sends a push message to every device of these users. Responds with 200 even if no device was reached; with `async`, responds at once with the job
   * that sends it.
   */
  ping: route<{ body: Ping; answer: PingAnswer }>()({
    method: 'POST',
    path: '/rc/v1/users/ping',
    roles: ['operator', 'plugin'],
  }),
  /** Returns the state of a user's partition of a source; `*` for the shared partition of an app source. */
  partition: route<{ answer: PartitionState }>()({
    method: 'GET',
    path: '/rc/v1/users/<user_id>/sources/<source_id>',
    roles: ['reader'],
  }),
  /** Lists objects of a master document with their versions, a page at a time: all, or the matches of a search. */
  objects: route<{ query: ObjectList; answer: ObjectPage }>()({
    method: 'GET',
    path: '/rc/v1/users/<user_id>/sources/<source_id>/objects',
    roles: ['reader'],
  }),
  /**
   * Returns the change history of an object of a master document: its versions with time and author, newest first. The content of past versions is
   * not kept.
   */
  history: route<{ query: ObjectHistoryQuery; answer: ObjectHistory }>()({
    method: 'GET',
    path: '/rc/v1/users/<user_id>/sources/<source_id>/history',
    roles: ['reader'],
  }),
  /** Lists the documents of a source for this user: names with REST paths. */
  documentNames: route<{ answer: DocumentNames }>()({
    method: 'GET',
    path: '/rc/v1/users/<user_id>/sources/<source_id>/docnames',
    roles: ['reader'],
  }),
  /** Returns a document of a source for this user. `md` is the master document: all objects that the server holds for this user and source. */
  readDocument: route<{ answer: DocumentContent }>()({
    method: 'GET',
    path: '/rc/v1/users/<user_id>/sources/<source_id>/docs/<doc>',
    roles: ['reader'],
  }),
  /** Writes a document of a source for this user. Changes to `md` are delivered to devices; other computed documents are read-only. */
  writeDocument: route<{ body: DocumentWrite }>()({
    method: 'POST',
    path: '/rc/v1/users/<user_id>/sources/<source_id>/docs/<doc>',
    roles: ['operator'],
    bodyLimit,
  }),
} as const
