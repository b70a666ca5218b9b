import { API_TOKEN_HEADER, CLIENT_ID_HEADER, type ClientCreated, type DeviceSession } from '@godwit/protocol'
import type { KnownNames } from './known-names.js'
import type { RawAnswer } from './send.js'
import { ADMIN, type FuzzWorld } from './world.js'

/** Everybody who calls: each with a login and password of the same name. */
const LOGINS = {
  ada: 'device',
  grace: 'device',
  robin: 'reader',
  olga: 'operator',
  paul: 'plugin',
  admin: 'admin',
} as const
export type CallerName = keyof typeof LOGINS
export const CALLERS = Object.keys(LOGINS) as CallerName[]
export const roleOf = (name: CallerName): string => LOGINS[name]

/** Longer than any wait after failed logins. */
const TIMEOUT = 16 * 60

/** Who is logged in, and how each says so. */
export class Callers {
  readonly #world: FuzzWorld
  readonly #known: KnownNames
  readonly #headers = new Map<CallerName, { readonly [name: string]: string }>()

  constructor(world: FuzzWorld, known: KnownNames) {
    this.#world = world
    this.#known = known
  }

  async headers(name: CallerName): Promise<{ readonly [name: string]: string }> {
    return this.#headers.get(name) ?? (await this.renew(name))
  }

  /** Its token or session opens nothing any more. */
  forget(name: CallerName): void {
    this.#headers.delete(name)
  }

  /** Logs a caller in again; a caller whose user was deleted or changed role gets a new user. */
  async renew(name: CallerName): Promise<{ readonly [name: string]: string }> {
    this.#world.pass(TIMEOUT)
    const headers = (await this.#logIn(name)) ?? (await this.#remake(name))
    this.#headers.set(name, headers)
    this.#known.add('login', name)
    return headers
  }

  async #remake(name: CallerName): Promise<{ readonly [name: string]: string }> {
    if (name === 'admin') {
      await this.#world.restoreAdmin()
      this.#headers.clear()
    } else {
      const headers = await this.headers('admin')
      await this.#send('DELETE', `/rc/v1/users/${name}`, headers)
      await this.#send('POST', '/rc/v1/users', headers, {
        attributes: { login: name, password: name },
        role: LOGINS[name],
      })
    }
    const again = await this.#logIn(name)
    if (again) return again
    if (name === 'admin') throw new Error('The admin cannot log in.')
    this.forget('admin')
    return this.renew(name)
  }

  async #logIn(name: CallerName): Promise<{ readonly [name: string]: string } | undefined> {
    const credentials = name === 'admin' ? ADMIN : { login: name, password: name }
    if (LOGINS[name] === 'device') return this.#logInDevice(credentials)
    const answer = await this.#send('POST', '/rc/v1/system/login', {}, credentials)
    const { role } = answer.status === 200 ? JSON.parse(answer.body.toString()) : { role: '' }
    return role === LOGINS[name] ? { [API_TOKEN_HEADER]: JSON.parse(answer.body.toString()).token } : undefined
  }

  async #logInDevice(credentials: object): Promise<{ readonly [name: string]: string } | undefined> {
    const answer = await this.#send('POST', '/rc/v1/app/login', {}, credentials)
    if (answer.status !== 200) return undefined
    const { session } = JSON.parse(answer.body.toString()) as DeviceSession
    const headers = { authorization: `Bearer ${session}` }
    const created = await this.#send('POST', '/rc/v1/clients', headers)
    const { client } = JSON.parse(created.body.toString()) as ClientCreated
    this.#known.add('client', client.client_id)
    return { ...headers, [CLIENT_ID_HEADER]: client.client_id }
  }

  #send(method: string, address: string, headers: object, body?: object): Promise<RawAnswer> {
    return this.#world.sender.send({
      method,
      address,
      headers: { ...headers, accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
  }
}
