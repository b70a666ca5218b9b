import { type DeviceSession, SyncError } from '@godwit/protocol'
import type { DeviceDatabase } from '../database/database.js'
import type { OpenModel, OpenModels } from '../database/open-models.js'
import { SettingsTable } from '../database/settings-table.js'
import { entriesOf } from '../outbox/object-state.js'
import { settle } from '../outbox/settle-entry.js'
import type { SignInState } from '../platform/sign-in-state.js'
import { dropSearchRows, empty } from './restart-source.js'

/** How a session begins. */
export interface SessionTerms {
  /** Discards the undecided changes of another user. */
  readonly discard: boolean
  /** Keeps the rows that were made before the first login. */
  readonly adopt: boolean
  /** True for a login by token. */
  readonly isRenewable: boolean
}

/** The user of the device, stored in the main file. Each partition's file records whose data it holds, so that an interrupted change of users is noticed. */
export class Session {
  readonly #database: DeviceDatabase
  readonly #models: OpenModels
  readonly #settings: SettingsTable

  constructor(database: DeviceDatabase, models: OpenModels) {
    this.#database = database
    this.#models = models
    this.#settings = new SettingsTable(database, 'main')
  }

  get token(): string | null {
    return this.#settings.get('session')
  }

  get userName(): string | null {
    return this.#settings.get('login')
  }

  get userId(): string | null {
    return this.#settings.get('user_id')
  }

  get clientId(): string | null {
    return this.#settings.get('client_id')
  }

  setClientId(id: string | null): void {
    this.#database.durable(() => this.#settings.set('client_id', id))
  }

  /** Whether the device has a user and that user's session. */
  get state(): SignInState {
    if (this.token !== null) return 'signed_in'
    if (this.userId === null) return 'guest'
    return this.#settings.get('left') === null ? 'signed_out' : 'logged_out'
  }

  /** Whether the user signed in with a token and did not log out, so that another token renews the session. */
  get isRenewable(): boolean {
    return this.#settings.get('renewable') !== null
  }

  /** When the session ends, in milliseconds since 1970. */
  get expiresAt(): number {
    const text = this.#settings.get('expires_at')
    return text === null ? Number.POSITIVE_INFINITY : Date.parse(text)
  }

  /** The user who is signed out, and the number of changes that wait for the next sign-in; for the details of errors. */
  get waiting(): { readonly login: string | null; readonly waiting: number } {
    return { login: this.userName, waiting: this.#countUndecided() }
  }

  /** Returns the session. Throws `logged_out` without one. */
  required(): string {
    const token = this.token
    if (token) return token
    const details = this.userId === null ? {} : this.waiting
    const message = 'expected a session, got a device without a logged-in user. Call login first.'
    throw new SyncError('logged_out', message, { details })
  }

  /**
   * Begins a session. Another user's undecided changes are discarded only on request; rows made before the first login become that user's, unless they
   * are not adopted.
   */
  begin(answer: DeviceSession, { discard, adopt, isRenewable }: SessionTerms): void {
    const { login, user_id } = answer
    const isOther = this.userId !== null && this.userId !== user_id
    const count = isOther && !discard ? this.#countUndecided() : 0
    if (count > 0) throw unsentChanges(this.userName, count)
    const isFirst = this.userId === null
    this.#database.durable(() => {
      if (isFirst && !adopt)
        for (const scope of this.#models.allScopes())
          for (const model of this.#models.stored(scope.schema)) this.#giveUp(model)
      if (isOther) this.#settings.set('client_id', null)
      this.#settings.set('user_id', user_id)
      this.#settings.set('login', login)
      this.#settings.set('renewable', isRenewable ? 'yes' : null)
      this.#keep(answer)
    })
    this.claim()
  }

  /** Replaces the session of the same user. */
  renew(answer: DeviceSession): void {
    this.#database.durable(() => this.#keep(answer))
  }

  /** The server has ended the session. */
  end(): void {
    this.#database.durable(() => this.#settings.set('session', null))
  }

  /** The user logged out: no token brings the session back by itself. */
  leave(): void {
    this.#database.durable(() => {
      this.#settings.set('session', null)
      this.#settings.set('renewable', null)
      this.#settings.set('left', 'yes')
    })
  }

  #keep({ session, expires_at }: DeviceSession): void {
    this.#settings.set('left', null)
    this.#settings.set('session', session)
    this.#settings.set('expires_at', expires_at)
  }

  /** Assigns the partitions to the current user. Repeated at opening, since a kill may have interrupted it. */
  claim(): void {
    const user = this.userId
    if (user === null) return
    for (const scope of this.#models.allScopes()) {
      const owner = scope.settings.get('owner')
      if (owner === user) continue
      this.#database.durable(() => {
        if (owner !== null) for (const model of this.#models.stored(scope.schema)) this.#giveUp(model)
        scope.settings.set('owner', user)
      })
    }
  }

  /**
   * Removes another user's data from a model: synced rows of the user's and the device's partition; in the shared partition, undecided changes and
   * search results.
   */
  #giveUp(model: OpenModel): void {
    if (!model.synced) return
    // Which partitions a user may see is another question for each user.
    if (model.scope.schema !== 'app' || model.definition.by) {
      empty(model, { keep: false })
      return
    }
    for (const object of model.scope.outbox.objects(model.name)) {
      for (const entry of [...entriesOf(model, object)].reverse()) settle(model, entry)
    }
    model.scope.refusals.clear(model.name)
    model.scope.overwritten.clear(model.name)
    this.#forgetLinks(model)
    dropSearchRows(model)
    model.state.voidToken()
  }

  /** Removes links, which conditions could use. */
  #forgetLinks({ scope, name }: OpenModel): void {
    scope.links.clear(name)
    this.#models.live.touchAll(name)
    for (const [child] of this.#models.childrenOf(name)) this.#models.live.touchAll(child.name)
  }

  #countUndecided(): number {
    return this.#models.allScopes().reduce((sum, { outbox }) => sum + outbox.count(), 0)
  }
}

/** `details` has what an app needs to say so in its own words, and to offer both ways out. */
function unsentChanges(login: string | null, count: number): SyncError {
  const changes = count === 1 ? '1 unsent change' : `${count} unsent changes`
  const message = `${login} has ${changes} on this device. Log in as ${login} to send them, or pass { discard: true } to discard them.`
  return new SyncError('unsent_changes', message, { details: { login, count } })
}
