import { lookup } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { SyncError } from '@godwit/protocol'
import ip from 'ipaddr.js'
import { type AddressScope, reachOf, reachOfName } from './address-rules.js'

/** Resolves a host name to its IP addresses. */
export type Resolve = (name: string) => Promise<readonly string[]>

/** The addresses that an `AddressGuard` allows. */
export interface GuardOptions {
  /** Allows loopback, private and reserved addresses; those of metadata services stay forbidden. */
  readonly allowPrivate: boolean
  /** Default: the resolver of the system. */
  readonly resolve?: Resolve
}

/** Decides which backend addresses the server may call: when one is set, and at every connection, on the IP address being connected to. */
export class AddressGuard {
  readonly #allowPrivate: boolean
  readonly #resolve: Resolve

  constructor({ allowPrivate, resolve = systemResolve }: GuardOptions) {
    this.#allowPrivate = allowPrivate
    this.#resolve = resolve
  }

  /** Returns the address in its stored form, without a trailing slash. Throws `url_not_allowed`, which says what is allowed. */
  async check(text: string): Promise<string> {
    const url = this.checkUrl(text)
    if (!ip.isValid(hostOf(url))) await this.resolve(hostOf(url))
    return url.href.replace(/\/+$/, '')
  }

  /** Checks everything that needs no name lookup, and returns the URL. */
  checkUrl(text: string): URL {
    if (!URL.canParse(text)) throw notAllowed(`${JSON.stringify(text)} is no address`)
    const url = new URL(text)
    if (url.protocol !== 'http:' && url.protocol !== 'https:') throw notAllowed(`it has the scheme ${url.protocol}`)
    if (url.username !== '' || url.password !== '') throw notAllowed('it has credentials')
    if (url.search !== '' || url.hash !== '') throw notAllowed('it has a query or a fragment')
    const host = hostOf(url)
    this.#checkReach(ip.isValid(host) ? reachOf(host) : reachOfName(host), host)
    return url
  }

  /** Resolves a name. Throws `url_not_allowed` unless all of its addresses are allowed. */
  async resolve(name: string): Promise<readonly string[]> {
    const addresses = await this.#resolve(name).catch(() => [])
    if (addresses.length === 0) throw notAllowed(`the name ${name} has no address`)
    for (const address of addresses) this.#checkReach(reachOf(address), `${name} (${address})`)
    return addresses
  }

  /** A `lookup` for `node:http`. The connection uses the checked addresses, so that a name cannot change its address after the check. */
  readonly lookup: LookupFunction = (name, options, callback) => {
    this.resolve(name).then(
      addresses => {
        const all = addresses.map(address => ({ address, family: ip.parse(address).kind() === 'ipv6' ? 6 : 4 }))
        if (options.all) callback(null, all)
        else callback(null, all[0]?.address ?? '', all[0]?.family ?? 4)
      },
      error => callback(error, []),
    )
  }

  #checkReach(reach: AddressScope, what: string): void {
    if (reach === 'public' || (reach === 'private' && this.#allowPrivate)) return
    const hint = reach === 'private' ? '; SYNC_ALLOW_PRIVATE_BACKENDS would allow it' : ''
    const kind = reach === 'private' ? 'loopback, private or reserved' : 'that of a metadata service or link-local'
    throw notAllowed(`${what} is ${kind}${hint}`)
  }
}

const systemResolve: Resolve = async name => (await lookup(name, { all: true })).map(({ address }) => address)

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

const notAllowed = (why: string): SyncError =>
  new SyncError(
    'url_not_allowed',
    `The address is not allowed: ${why}. Give an http or https address of a public host, without credentials, query or fragment.`,
  )
