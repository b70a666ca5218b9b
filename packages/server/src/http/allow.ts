import { mayCall, type RouteLine, SyncError } from '@godwit/protocol'
import type { Caller } from './handler.js'

/** Throws unless the caller's role includes the route. */
export function allow({ role }: Caller, { roles }: RouteLine): void {
  if (mayCall(role, roles)) return
  throw new SyncError('role_insufficient', `This route takes the role ${roles.join(' or ')}; yours is ${role}.`)
}
