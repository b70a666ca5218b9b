import { AdminClient } from '@godwit/admin-client'
import { isSyncError, SyncError } from '@godwit/protocol'
import { readSettings } from '../config.js'
import { secretOf } from '../secret-of.js'
import { ask, isAttended } from './ask.js'
import { type CommandHost, type RemoteServer, UsageError } from './command.js'
import { TokenFile } from './token-file.js'

/** A client of the server, with a function that ends its login. */
export interface AdminConnection {
  readonly admin: AdminClient
  /** Revokes a token that was created for this command only. */
  end(): Promise<void>
}

/** Returns the server's address: `--url`, else GODWIT_URL, else where a server with this environment listens. */
export function addressOf({ url }: RemoteServer, { env }: Pick<CommandHost, 'env'>): string {
  const address = url ?? (env['GODWIT_URL'] || localAddress(env))
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return address
  throw new UsageError(`expected the address of a server like http://127.0.0.1:8675, got ${address}.`)
}

/**
 * Connects with a given token, else with a login from the environment, else with the token saved by `godwit login`, else with the server's own
 * password or one that the user types.
 */
export async function connect(given: RemoteServer, host: CommandHost): Promise<AdminConnection> {
  const url = addressOf(given, host)
  const token = given.token ?? host.env['GODWIT_TOKEN']
  if (token) return { admin: new AdminClient({ url, token: checkToken(token) }), end: async () => {} }
  const kept = isNamed(host) ? undefined : new TokenFile(host.env).find(url)
  if (kept) return { admin: new AdminClient({ url, token: checkToken(kept.token) }), end: async () => {} }
  const login = loginOf(given, host)
  const password = await passwordOf(given, host, `Password of ${login} at ${url}: `)
  const { token: made, expires_at } = await new AdminClient({ url, token: '' }).system
    .login({ login, password })
    .catch(error => {
      throw isSyncError(error) && password === serverPassword(given, host) ? ofServerPassword(error, login) : error
    })
  const admin = new AdminClient({ url, token: made })
  return { admin, end: () => revoke(admin, login, expires_at) }
}

/** Never repeats the token in a message, since it is a secret. */
function checkToken(token: string): string {
  try {
    new Headers({ token })
    return token
  } catch {
    throw new UsageError(
      'Expected a token as `godwit token create` prints it, got one with a line break or an invalid character.',
    )
  }
}

/** Returns the login: GODWIT_LOGIN, else the admin of the server. */
export const loginOf = (given: RemoteServer, { env }: Pick<CommandHost, 'env'>): string =>
  env['GODWIT_LOGIN'] || (isLocal(given, env) && env['SYNC_ADMIN_LOGIN']) || 'admin'

/** Returns the password. The server's own admin password is only sent to the server of this environment. */
export async function passwordOf(given: RemoteServer, host: CommandHost, question: string): Promise<string> {
  const password = host.env['GODWIT_PASSWORD'] || serverPassword(given, host)
  if (password) return password
  if (isAttended(host)) return ask(host, question, { secret: true })
  throw new UsageError(
    'There is no terminal to prompt for a password. Set GODWIT_TOKEN, or GODWIT_LOGIN and GODWIT_PASSWORD.',
  )
}

function serverPassword(given: RemoteServer, { env }: Pick<CommandHost, 'env'>): string | undefined {
  return isLocal(given, env) && !env['GODWIT_LOGIN'] ? secretOf(env, 'SYNC_ADMIN_PASSWORD') : undefined
}

/** Explains a rejected SYNC_ADMIN_PASSWORD: the store keeps the password of its first admin, whatever the variable says later. */
const ofServerPassword = (error: SyncError, login: string): SyncError =>
  error.code === 'invalid_credentials'
    ? new SyncError(
        error.code,
        `SYNC_ADMIN_PASSWORD is not the password of ${login}: it applies only to the first admin of a new store. Set GODWIT_PASSWORD to the current password, or set GODWIT_TOKEN.`,
        { cause: error },
      )
    : error

/** True if the environment sets a login or a password. */
const isNamed = ({ env }: Pick<CommandHost, 'env'>): boolean => Boolean(env['GODWIT_LOGIN'] || env['GODWIT_PASSWORD'])

const isLocal = ({ url }: RemoteServer, env: CommandHost['env']): boolean => url === undefined && !env['GODWIT_URL']

function localAddress(env: CommandHost['env']): string {
  const { host, port } = readSettings({ PORT: env['PORT'], HOST: env['HOST'] })
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`
}

/** Returns the id of a new token, found by its expiry; undefined if the server no longer has it, as after a reset. */
export async function tokenIdOf(admin: AdminClient, login: string, expiresAt: string): Promise<string | undefined> {
  const tokens = await admin.system.tokens({ login }).catch(() => [])
  return tokens.filter(({ expires_at }) => expires_at === expiresAt).at(-1)?.id
}

async function revoke(admin: AdminClient, login: string, expiresAt: string): Promise<void> {
  const id = await tokenIdOf(admin, login, expiresAt)
  if (id !== undefined) await admin.system.revokeToken(id).catch(() => {})
}
