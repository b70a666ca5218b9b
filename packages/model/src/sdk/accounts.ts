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
    await this.#lifetime.held(async ({ transport, session, runner, events, automatic, syncing }) => {
      const answer = await transport.login(login, password)
      await runner.stop()
      try {
        session.begin(answer, { discard })
      } catch (error) {
        // The former user stays logged in, so restart the sync that was stopped.
        if (session.token !== null) automatic.begin()
        throw error
      }
      syncing.swept.at = 0
      events.emit({ kind: 'status', loggedIn: true, userName: session.userName })
      automatic.begin()
    })
  }

  async logout(): Promise<void> {
    await this.#lifetime.held(async ({ transport, session, runner, events, automatic }) => {
      automatic.end()
      await runner.stop()
      const { token } = session
      session.end()
      events.emit({ kind: 'status', loggedIn: false, userName: session.userName })
      if (token) await transport.logout({ session: token }).catch(() => {})
    })
  }
}
