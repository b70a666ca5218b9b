import { mayCall, type Routes, SyncError, type UserUpdate } from '@godwit/protocol'
import { deleteClient, listClients } from '../../accounts/users/clients.js'
import { createUser, createUsers } from '../../accounts/users/create-users.js'
import { deleteUser } from '../../accounts/users/delete-user.js'
import { endSession, listSessions } from '../../accounts/users/user-sessions.js'
import { endSessions, listUsers, pageOfUsers, readUser, updateUser } from '../../accounts/users/users.js'
import { documentNames } from '../../admin/documents/document-names.js'
import { listObjects } from '../../admin/documents/list-objects.js'
import { objectHistory } from '../../admin/documents/object-history.js'
import { readDocument } from '../../admin/documents/read-document.js'
import { writeDocument } from '../../admin/documents/write-document.js'
import { partitionState } from '../../admin/operations/partition-state.js'
import { enqueuePing, ping } from '../../admin/ping/ping.js'
import { accessChanged } from '../../backend/partitions/access-changed.js'
import { auditCall, auditDocumentWrite, namesOf } from '../audit-rules.js'
import { type Caller, type Handlers, originOf } from '../handler.js'

export const usersHandlers: Handlers<Routes['users']> = {
  create: {
    handle: async (engine, { body }) => ({ login: await createUser(engine, body) }),
    audit: auditCall(({ body: { attributes, role = 'device' } }) => ({
      user_id: String(attributes['login']),
      role,
      attributes: namesOf(attributes),
    })),
  },
  createMany: {
    handle: (engine, { body }) => createUsers(engine, body),
    audit: auditCall(({ body: { users } }) => ({ users: users.length })),
  },
  list: (engine, { query }) => listUsers(engine, query),
  get: (engine, { parameters: { user_id } }) => readUser(engine, user_id),
  page: (engine, { query }) => pageOfUsers(engine, query),
  update: {
    handle: async (engine, { parameters: { user_id }, body, caller }) => {
      checkMayUpdate(caller, body)
      await updateUser(engine, user_id, body, { keep: caller.credential })
      return {}
    },
    audit: auditCall(({ body: { attributes, role, locked } }) => ({
      attributes: namesOf(attributes),
      ...(role && { role }),
      ...(locked !== undefined && { locked }),
    })),
  },
  delete: {
    handle: async (engine, { parameters: { user_id } }) => {
      await deleteUser(engine, user_id)
      return {}
    },
    audit: auditCall(),
  },
  sessions: (engine, { parameters: { user_id } }) => listSessions(engine, user_id),
  endSession: {
    handle: async (engine, { parameters: { user_id, session_id } }) => {
      await endSession(engine, user_id, session_id)
      return {}
    },
    audit: auditCall(),
  },
  endSessions: {
    handle: async (engine, { parameters: { user_id }, caller }) => {
      const { role } = await readUser(engine, user_id)
      if (role !== 'device' && !mayCall(caller.role, ['admin']))
        throw new SyncError(
          'role_insufficient',
          `Only an admin may end the tokens of API users; your role is ${caller.role}.`,
        )
      await endSessions(engine, user_id)
      return {}
    },
    audit: auditCall(),
  },
  refreshPartitions: {
    handle: async (engine, { parameters: { user_id } }) => {
      await accessChanged(engine, user_id)
      return {}
    },
    audit: auditCall(),
  },
  clients: (engine, { parameters: { user_id } }) => listClients(engine, user_id),
  deleteClient: {
    handle: async (engine, { parameters: { user_id, client_id } }) => {
      await deleteClient(engine, user_id, client_id)
      return {}
    },
    audit: auditCall(),
  },
  ping: (engine, { body }) => (body.async ? enqueuePing(engine, body) : ping(engine, body)),
  partition: (engine, { parameters: { user_id: user, source_id: source } }) => partitionState(engine, { user, source }),
  objects: (engine, { parameters: { user_id: user, source_id: source }, query }) =>
    listObjects(engine, { user, source }, query),
  history: (engine, { parameters: { user_id: user, source_id: source }, query }) =>
    objectHistory(engine, { user, source }, query),
  documentNames: (engine, { parameters: { user_id: user, source_id: source } }) =>
    documentNames(engine, { user, source }),
  readDocument: (engine, { parameters: { user_id: user, source_id: source, doc } }) =>
    readDocument(engine, { user, source, doc }),
  writeDocument: {
    handle: async (engine, { parameters: { user_id: user, source_id: source, doc }, body, caller }) => {
      await writeDocument(engine, { user, source, doc, ...body, origin: originOf(caller, 'edit') })
      return {}
    },
    audit: auditDocumentWrite,
  },
}

/** Operators may call the route, but only admins may set roles, passwords and locks. */
function checkMayUpdate({ role }: Caller, { attributes = {}, role: newRole, locked }: UserUpdate): void {
  if (newRole === undefined && locked === undefined && !Object.hasOwn(attributes, 'password')) return
  if (mayCall(role, ['admin'])) return
  throw new SyncError(
    'role_insufficient',
    `Only an admin may set roles and passwords, or lock users; your role is ${role}.`,
  )
}
