import { isSyncError, SyncError } from '@godwit/protocol'
import type { Events } from '../events/sdk-events.js'
import type { Transport } from '../http/transport.js'
import type { Session } from './device-session.js'

/**
 * Returns a token of the app's identity provider: `() => auth.getAccessToken()`. Undefined: the user has to sign in again. A rejection, as without a
 * network, leaves the session as it is.
 */
export type Credentials = () => Promise<string | undefined> | string | undefined

export interface SignInParts {
  /** Undefined if the app logs in by itself. */
  readonly credentials: Credentials | undefined
  readonly session: Session
  readonly transport: Pick<Transport, 'login' | 'logout'>
  readonly events: Pick<Events, 'emit'>
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Milliseconds before its end when a session is renewed. */
const MARGIN = 90_000

/** Renews the session of a user who signed in with a token. Local data is never touched: without a session it waits. */
export class SignIn {
  readonly #parts: SignInParts
  #renewing: Promise<boolean> | undefined
  /** The token of the present session, which the app may return again until it has a newer one. */
  #exchanged: string | undefined

  constructor(parts: SignInParts) {
    this.#parts = parts
  }

  /** Returns a token for a login that the app asks for. Throws `value_not_allowed` without `credentials`, and `logged_out` if they give none. */
  async token(): Promise<string> {
    const { credentials } = this.#parts
    if (credentials === undefined)
      throw new SyncError(
        'value_not_allowed',
        'login: expected a login and a password, { token }, or the option credentials at opening, got none of them.',
      )
    const token = await credentials()
    if (token !== undefined) return token
    throw new SyncError('logged_out', 'The credentials gave no token: sign in at the identity provider first.')
  }

  /** Renews a session that has ended or ends soon, before a run. Never rejects: a run without a session says so. */
  async ready(): Promise<void> {
    const { session, now } = this.#parts
    if (session.isRenewable && (session.token === null || now() >= session.expiresAt - MARGIN)) await this.#renew()
  }

  /** Returns true if the run failed because the session ended, and it was renewed. */
  async recovered(error: unknown): Promise<boolean> {
    const hasEnded = isSyncError(error) && (error.code === 'logged_out' || error.code === 'session_expired')
    return hasEnded && this.#parts.session.isRenewable && this.#renew()
  }

  /** Exchanges a token for a new session of the same user. Throws `user_changed` if the token is another user's. */
  async exchange(token: string): Promise<void> {
    const { transport, session, events } = this.#parts
    const answer = await transport.login({ token })
    this.#exchanged = token
    if (answer.user_id === session.userId) {
      session.renew(answer)
      events.emit({ kind: 'status', loggedIn: true, userName: session.userName })
      return
    }
    await transport.logout({ session: answer.session }).catch(() => {})
    throw new SyncError(
      'user_changed',
      `The token is that of ${answer.login}, but ${session.userName} is signed in on this device. Call login to change the user.`,
    )
  }

  /** Notes the token of a login, so that it is not exchanged again. */
  began(token: string | undefined): void {
    this.#exchanged = token
  }

  #renew(): Promise<boolean> {
    const { credentials, events } = this.#parts
    if (credentials === undefined) {
      events.emit({ kind: 'credentials' })
      return Promise.resolve(false)
    }
    this.#renewing ??= this.#renewWith(credentials).finally(() => {
      this.#renewing = undefined
    })
    return this.#renewing
  }

  /** A failure leaves the session as it is: the server decides whether it has ended. */
  async #renewWith(credentials: Credentials): Promise<boolean> {
    try {
      const token = await credentials()
      if (token === undefined || (token === this.#exchanged && this.#parts.session.token !== null)) return false
      await this.exchange(token)
      return true
    } catch {
      return false
    }
  }
}
