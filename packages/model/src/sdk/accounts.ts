import { Opened } from './opened.js'

/** Who uses the device. */
export abstract class Accounts<Ms> extends Opened<Ms> {
  /** Opens a session; the first sync begins by itself in a later task. Another user than before empties the user's partition; with undecided changes only if `discard` says so. */
  async login(
    login: string,
    password: string,
    { discard = false }: { readonly discard?: boolean } = {},
  ): Promise<void> {
    await this.held(async ({ transport, session, runner, events, automatic, syncing }) => {
      const answer = await transport.login(login, password)
      await runner.stop()
      try {
        session.begin(answer, { discard })
      } catch (error) {
        // The former user is still logged in, so the sync that was stopped starts again.
        if (session.token !== null) automatic.begin()
        throw error
      }
      syncing.swept.at = 0
      events.emit({ kind: 'status', loggedIn: true, userName: session.userName })
      automatic.begin()
    })
  }

  /** Ends the session, on the server too if it can be reached. Data stays. */
  async logout(): Promise<void> {
    await this.held(async ({ transport, session, runner, events, automatic }) => {
      automatic.end()
      await runner.stop()
      const { token } = session
      session.end()
      events.emit({ kind: 'status', loggedIn: false, userName: session.userName })
      if (token) await transport.logout({ session: token }).catch(() => {})
    })
  }

  isLoggedIn(): boolean {
    return this.parts.session.token !== null
  }

  /** The login of the last user; null before the first. */
  get userName(): string | null {
    return this.parts.session.userName
  }

  /** The client id of this device, null before any. */
  clientId(): string | null {
    return this.parts.device.clientId()
  }
}
