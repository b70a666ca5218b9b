import type { Authenticate } from '../../backend/sources/authenticate.js'
import { authenticateBy } from '../../backend/sources/http-source.js'
import type { AccountsEngine } from '../accounts-engine.js'

/**
 * Returns the function that decides on device logins: the `authenticate` option, else the plugin backend if its address is set. Undefined: only the
 * registry decides.
 */
export async function authenticateOf({
  authenticate,
  backend,
}: Pick<AccountsEngine, 'authenticate' | 'backend'>): Promise<Authenticate | undefined> {
  if (authenticate !== undefined) return authenticate
  return (await backend.address()) === undefined ? undefined : authenticateBy(backend)
}
