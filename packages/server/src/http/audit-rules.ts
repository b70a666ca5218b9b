import type { Role } from '@godwit/protocol'
import { findUser } from '../users/user-record.js'
import type { AnyHandlerRequest, AuditFacts, AuditRule } from './handler.js'

/** Tells who called, and what `about` says of the request. */
export const auditCall =
  <Request>(about: (request: Request) => AuditFacts['about'] = () => ({})): AuditRule<Request> =>
  async (_engine, { caller, request }) => ({
    login: caller.login ?? null,
    role: caller.role,
    about: request ? about(request) : {},
  })

/** Tells of a login of a user with one of these roles, or of an unknown user. Throttled logins are left out, since there may be any number of them. */
export const auditLogin =
  (roles: readonly Role[]): AuditRule<Pick<AnyHandlerRequest, 'body'>> =>
  async ({ store }, { request, result }) => {
    if (!request || result === 'too_many_attempts') return undefined
    const user = await findUser(store.registry, (request.body as { readonly login: string }).login)
    const role = user?.role ?? 'open'
    return roles.includes(role) ? { login: user?.login ?? null, role: null, about: {} } : undefined
  }

/** Names of attributes, without their values. */
export const namesOf = (map: object | undefined): readonly string[] => Object.keys(map ?? {})

/** What follows the host may be a secret. */
export const urlOrigin = (address: string | null): string | null =>
  address && URL.canParse(address) ? new URL(address).origin : null

/** Tells whether a document was appended to or replaced. */
export const auditDocumentWrite: AuditRule<{ readonly body: { readonly append?: boolean } }> = auditCall(
  ({ body }) => ({
    append: body.append ?? false,
  }),
)
