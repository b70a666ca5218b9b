import { type Attributes, isSyncError, isWellFormed, SyncError } from '@godwit/protocol'
import { messageOf } from '@godwit/source'
import { inTime } from '@godwit/store'
import type { Authenticate } from '../../backend/sources/authenticate.js'
import { isRecord } from '../../backend/sources/is-record.js'
import { isLogin } from '../../base/check-login.js'
import type { AccountsEngine } from '../accounts-engine.js'
import { checkNotLocked, findUser, type UserRecord, userValue } from '../users/user-record.js'
import { authenticateOf } from './authenticate-of.js'
import { type IssuedCredential, issueCredential } from './credentials.js'
import { invalidCredentials, type PasswordLogin, userOfPassword } from './user-of-password.js'

type LoginEngine = Pick<
  AccountsEngine,
  | 'store'
  | 'clock'
  | 'limits'
  | 'metrics'
  | 'randomId'
  | 'authenticate'
  | 'passwords'
  | 'throttle'
  | 'backend'
  | 'acceptedLogins'
>

/** Logs in a device user: `authenticate` or the plugin backend decides if there is one, else the password in the registry. */
export async function logIn(
  engine: LoginEngine,
  { login, password }: PasswordLogin,
  address: string,
): Promise<{ readonly user: UserRecord; readonly given: IssuedCredential }> {
  if (!engine.acceptedLogins.passwords)
    throw new SyncError('invalid_credentials', 'This server takes tokens of an identity provider, not passwords.')
  const authenticate = await authenticateOf(engine)
  const user = await engine.throttle.attempt({ login, address }, authenticate ? 'backend' : 'device', async () => {
    const found = authenticate
      ? await userOfBackend(engine, { authenticate, login, password })
      : await userOfPassword(engine, { login, password })
    if (found.role === 'device') return found
    throw new SyncError(
      'not_a_device_user',
      `expected a user with the role device, got ${found.role}. API users log in with POST /rc/v1/system/login.`,
    )
  })
  return { user, given: await issueCredential(engine, user, { purpose: 'session' }) }
}

async function userOfBackend(
  engine: LoginEngine,
  { authenticate, login, password }: PasswordLogin & { readonly authenticate: Authenticate },
): Promise<UserRecord> {
  if (!isLogin(login)) throw invalidCredentials()
  const verdict = await decisionOf(authenticate, { login, password, seconds: engine.limits.loginWait })
  if (!verdict) throw invalidCredentials()
  const attributes = typeof verdict === 'object' ? attributesOf(verdict.attributes) : {}
  const user = (await findUser(engine.store.registry, login)) ?? (await createUserOfBackend(engine, login, attributes))
  if (!user) throw invalidCredentials()
  checkNotLocked(user)
  return user
}

/** Creates a registry user for a login that the backend accepted. Returns undefined if the user is being deleted. */
async function createUserOfBackend(
  { store: { registry }, randomId, clock }: LoginEngine,
  login: string,
  attributes: Attributes,
): Promise<UserRecord | undefined> {
  const createdAt = new Date(clock()).toISOString()
  const value = userValue({ userId: randomId(), role: 'device', passwordHash: undefined, attributes, createdAt })
  await registry.create('user', { id: login, value })
  return findUser(registry, login)
}

type TimedLogin = PasswordLogin & { readonly seconds: number }

async function decisionOf(
  authenticate: Authenticate,
  { login, password, seconds }: TimedLogin,
): ReturnType<Authenticate> {
  const decided = Promise.resolve()
    .then(() => authenticate(login, password))
    .catch(cause => {
      if (isSyncError(cause)) throw cause
      const message = 'The backend failed to decide on the login. Try again.'
      throw new SyncError('backend_failed', message, { cause: withoutPassword(cause, password) })
    })
  const failure = `The backend did not decide on the login within ${seconds} seconds. Try again.`
  return inTime(decided, seconds * 1000, () => new SyncError('backend_timeout', failure))
}

/** Removes the password from the message, which is logged: libraries often quote their arguments. */
const withoutPassword = (cause: unknown, password: string): Error =>
  new Error(password === '' ? messageOf(cause) : messageOf(cause).replaceAll(password, '[password]'))

/** Returns a copy of the attributes as stored. Throws `backend_failed` if they are not a JSON object. */
function attributesOf(attributes: unknown): Attributes {
  if (attributes === undefined || attributes === null) return {}
  if (!isRecord(attributes)) throw noAttributes()
  if (!isWellFormed(attributes)) throw noAttributes()
  try {
    return JSON.parse(JSON.stringify(attributes)) as Attributes
  } catch {
    throw noAttributes()
  }
}

const noAttributes = (): SyncError =>
  new SyncError(
    'backend_failed',
    'expected the attributes of a user by name, as JSON, from the backend, got something else.',
  )
