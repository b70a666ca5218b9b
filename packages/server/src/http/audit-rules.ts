import type { Role } from '@godwit/protocol'
import { findUser } from '../accounts/users/user-record.js'
import type { AnyHandlerRequest, AuditFacts, AuditRule } from './handler.js'

/** Returns a rule that records the caller and the facts that `about` reads from the request. */
export const auditCall =
  <Request>(about: (request: Request) => AuditFacts['about'] = () => ({})): AuditRule<Request> =>
  async (_engine, { caller, request }) => ({
    login: caller.login ?? null,
    role: caller.role,
    about: request ? about(request) : {},
  })

/**
 * Returns a rule that records logins of users with one of these roles and of unknown users. Throttled logins are omitted, since their number is
 * unlimited.
 */
export const auditLogin =
  (roles: readonly Role[]): AuditRule<Pick<AnyHandlerRequest, 'body'>> =>
  async ({ store }, { request, result }) => {
    if (!request || result === 'too_many_attempts') return undefined
    const user = await findUser(store.registry, (request.body as { readonly login?: string }).login ?? '')
    const role = user?.role ?? 'open'
    return roles.includes(role) ? { login: user?.login ?? null, role: null, about: {} } : undefined
  }

/** Returns names of attributes without their values. */
export const namesOf = (map: object | undefined): readonly string[] => Object.keys(map ?? {})

/** Returns the origin of an address, since its path may be a secret. */
export const urlOrigin = (address: string | null): string | null =>
  address && URL.canParse(address) ? new URL(address).origin : null

/** Records whether a document was appended to or replaced. */
export const auditDocumentWrite: AuditRule<{ readonly body: { readonly append?: boolean } }> = auditCall(
  ({ body }) => ({
    append: body.append ?? false,
  }),
)
