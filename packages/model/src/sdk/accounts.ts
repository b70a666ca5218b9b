import { leavePush } from '../run/register-push.js'
import type { SdkLifetime } from './sdk-lifetime.js'

export interface LoginOptions {
  /** Discards the undecided changes of another user. Default false: the login fails while there are any. */
  readonly discard?: boolean
}

/** The session and user of the device. */
export class Accounts {
  readonly #lifetime: SdkLifetime<unknown>

  constructor(lifetime: SdkLifetime<unknown>) {
    this.#lifetime = lifetime
  }

  async login(login: string, password: string, { discard = false }: LoginOptions = {}): Promise<void> {
    await this.#lifetime.runAlive(async parts => {
      const { transport, session, runner, events, automatic, syncing } = parts
      const answer = await transport.login(login, password)
      await runner.stop()
      const { clientId: client, token, userId } = session
      try {
        session.begin(answer, { discard })
      } catch (error) {
        // The former user stays logged in, so restart the sync that was stopped.
        if (session.token !== null) automatic.begin()
        throw error
      }
      if (userId !== answer.user_id) await leavePush(parts, { client, session: token })
      syncing.swept.at = 0
      events.emit({ kind: 'status', loggedIn: true, userName: session.userName })
      automatic.begin()
    })
  }

  async logout(): Promise<void> {
    await this.#lifetime.runAlive(async parts => {
      const { transport, session, runner, events, automatic } = parts
      automatic.end()
      await runner.stop()
      const { token, clientId: client } = session
      session.end()
      events.emit({ kind: 'status', loggedIn: false, userName: session.userName })
      await leavePush(parts, { client, session: token })
      if (token) await transport.logout({ session: token }).catch(() => {})
    })
  }
}
