import type { ServerEngine } from '../engine.js'
import { authenticateBy } from '../sources/http-source.js'
import type { Authenticate } from './authenticate.js'

/** Who decides on device logins beside the registry: the option, else the plugin backend once its address is set. */
export async function authenticateOf({
  authenticate,
  backend,
}: Pick<ServerEngine, 'authenticate' | 'backend'>): Promise<Authenticate | undefined> {
  if (authenticate !== undefined || backend === undefined) return authenticate
  return (await backend.address()) === undefined ? undefined : authenticateBy(backend)
}
