import type { DeviceLogin } from '@godwit/protocol'
import type { SessionTerms } from '../run/device-session.js'
import { leavePush } from '../run/register-push.js'
import type { SdkParts } from './parts.js'
import type { SdkLifetime } from './sdk-lifetime.js'

/** Options of a login. */
export interface LoginOptions {
  /** Discards the undecided changes of another user. Default false: the login fails while there are any. */
  readonly discard?: boolean
  /** Keeps the rows that were made before the first login, as those of this user. False: they are discarded. Default true. */
  readonly adopt?: boolean
}

/** A login with a token of an identity provider. */
export interface TokenLoginOptions extends LoginOptions {
  /** The token. Default: the one that `credentials` returns. */
  readonly token?: string
  /** Renews the session of the present user; a token of another one fails with `user_changed`. Default false. */
  readonly renew?: boolean
}

/** The session and user of the device. */
export class Accounts {
  readonly #lifetime: SdkLifetime<unknown>

  constructor(lifetime: SdkLifetime<unknown>) {
    this.#lifetime = lifetime
  }

  async login(body: DeviceLogin, options?: LoginOptions): Promise<void> {
    await this.#lifetime.runAlive(parts => begin(parts, body, options))
  }

  async loginByToken({ token: given, renew = false, ...options }: TokenLoginOptions = {}): Promise<void> {
    await this.#lifetime.runAlive(async parts => {
      const token = given ?? (await parts.signIn.token())
      if (!renew) return begin(parts, { token }, options)
      const { session, automatic } = parts
      const wasSignedOut = session.token === null
      await parts.signIn.exchange(token)
      if (wasSignedOut) automatic.begin()
    })
  }

  async logout(): Promise<void> {
    await this.#lifetime.runAlive(async parts => {
      const { transport, session, runner, events, automatic } = parts
      automatic.end()
      await runner.stop()
      const { token, clientId: client } = session
      session.leave()
      events.emit({ kind: 'status', loggedIn: false, userName: session.userName })
      await leavePush(parts, { client, session: token })
      if (token) await transport.logout({ session: token }).catch(() => {})
    })
  }
}

async function begin(
  parts: SdkParts<unknown>,
  body: DeviceLogin,
  { discard = false, adopt = true }: LoginOptions = {},
): Promise<void> {
  const { transport, session, runner, events, automatic, syncing, signIn } = parts
  const answer = await transport.login(body)
  await runner.stop()
  const { clientId: client, token, userId } = session
  const terms: SessionTerms = { discard, adopt, isRenewable: body.token !== undefined }
  try {
    session.begin(answer, terms)
  } catch (error) {
    // The former user stays logged in, so restart the sync that was stopped.
    if (session.token !== null) automatic.begin()
    throw error
  }
  if (userId !== answer.user_id) await leavePush(parts, { client, session: token })
  signIn.began(body.token)
  syncing.swept.at = 0
  events.emit({ kind: 'status', loggedIn: true, userName: session.userName })
  automatic.begin()
}
