import { type JsonValue, type Role, type Routes, USER_ROLES } from '@godwit/protocol'
import type { ServerEngine } from '../engine.js'
import { findUser } from '../users/user-record.js'
import type { AnyHandlerRequest, Caller, HandlerRequest } from './handler.js'

/** A call that is over. */
export interface CompletedCall<Asked = AnyHandlerRequest> {
  readonly caller: Caller
  /** Undefined where the call was refused before its body was read. */
  readonly request: Asked | undefined
  readonly result: string
}

/** Who did it, and what tells of the change: never a secret, never the contents of objects and documents. */
export interface AuditFacts {
  readonly login: string | null
  readonly role: Role | null
  readonly about: { readonly [name: string]: JsonValue }
}

/** What the audit says of a call. Undefined: nothing. */
export type AuditRule<Asked = AnyHandlerRequest> = (
  engine: Pick<ServerEngine, 'store'>,
  over: CompletedCall<Asked>,
) => Promise<AuditFacts | undefined>

type AuditRules = {
  readonly [Group in keyof Routes]?: {
    readonly [Name in keyof Routes[Group]]?: AuditRule<HandlerRequest<Routes[Group][Name]>>
  }
}

const said =
  <Asked>(about: (request: Asked) => AuditFacts['about'] = () => ({})): AuditRule<Asked> =>
  async (_engine, { caller, request }) => ({
    login: caller.login ?? null,
    role: caller.role,
    about: request ? about(request) : {},
  })

/** A login of a user with one of these roles, or of an unknown user. Throttled logins are left out, since there may be any number of them. */
const knock =
  (roles: readonly Role[]): AuditRule<Pick<AnyHandlerRequest, 'body'>> =>
  async ({ store }, { request, result }) => {
    if (!request || result === 'too_many_attempts') return undefined
    const user = await findUser(store.registry, (request.body as { readonly login: string }).login)
    const role = user?.role ?? 'open'
    return roles.includes(role) ? { login: user?.login ?? null, role: null, about: {} } : undefined
  }

const names = (map: object | undefined): readonly string[] => Object.keys(map ?? {})

/** Whatever stands after the host may be a secret. */
const origin = (address: string | null): string | null =>
  address && URL.canParse(address) ? new URL(address).origin : null

const written = ({ body }: { readonly body: { readonly append?: boolean } }) => ({ append: body.append ?? false })

/**
 * The routes that the audit tells of: every one that changes how the server is set up, who may use it and what it holds, by an operator,
 * a plugin or an admin. Data that backends push and pings are not among them: they come by the thousand, and each entry waits for the disk.
 */
export const auditRules: AuditRules = {
  clients: { writeDocument: said(written) },
  device: { login: knock(USER_ROLES.filter(role => role !== 'device')) },
  operations: {
    retry: said(),
    settle: said(({ body: { object, attributes } }) => ({
      ...(object !== undefined && { object }),
      attributes: names(attributes),
    })),
    discard: said(),
  },
  readState: { set: said(({ body: { refresh_time } }) => (refresh_time === undefined ? {} : { refresh_time })) },
  sources: {
    update: said(({ body: { data, user_name } }) => ({
      data: { ...data },
      ...(user_name !== undefined && { user_name }),
    })),
  },
  store: { write: said(written) },
  system: {
    login: knock(['open', ...USER_ROLES]),
    signIn: knock(['open', ...USER_ROLES]),
    signOut: said(),
    reset: said(),
    writeAppServer: said(({ body: { adapter_url } }) => ({ adapter_url: origin(adapter_url) })),
    revokeToken: said(),
  },
  users: {
    create: said(({ body: { attributes, role = 'device' } }) => ({
      user_id: String(attributes['login']),
      role,
      attributes: names(attributes),
    })),
    createMany: said(({ body: { users } }) => ({ users: users.length })),
    update: said(({ body: { attributes, role, locked } }) => ({
      attributes: names(attributes),
      ...(role && { role }),
      ...(locked !== undefined && { locked }),
    })),
    endSessions: said(),
    delete: said(),
    deleteClient: said(),
    writeDocument: said(written),
  },
}
