import { SyncError } from '@godwit/protocol'

/** The parts of a Redis address. */
export interface RedisAddress {
  readonly kind: 'single' | 'sentinel' | 'cluster'
  readonly nodes: readonly { readonly host: string; readonly port: number }[]
  readonly tls: boolean
  readonly username?: string
  readonly password?: string
  readonly database?: number
  /** The sentinels' name for the primary. */
  readonly service?: string
  /** Credentials for the sentinels; `username` and `password` are for the primary. */
  readonly sentinelUsername?: string
  readonly sentinelPassword?: string
  /** Prefix of every key. */
  readonly prefix?: string
}

const KINDS = {
  redis: { kind: 'single', tls: false, port: 6379 },
  rediss: { kind: 'single', tls: true, port: 6379 },
  'redis-cluster': { kind: 'cluster', tls: false, port: 6379 },
  'rediss-cluster': { kind: 'cluster', tls: true, port: 6379 },
  'redis-sentinel': { kind: 'sentinel', tls: false, port: 26379 },
  'rediss-sentinel': { kind: 'sentinel', tls: true, port: 26379 },
} as const

const ADDRESS_FORMS =
  "redis://[USER:PASSWORD@]HOST:PORT[/DATABASE], redis-cluster://H1:P1,H2:P2 or redis-sentinel://H1:P1,H2:P2/NAME; with rediss for TLS, ?prefix=PREFIX for keys of one's own, and sentinel_user and sentinel_password for sentinels that ask for them"

/** Parses an address. Throws `value_not_allowed` without repeating the address, which may hold a password. */
export function readAddress(address: string): RedisAddress {
  const [, scheme = '', login, hosts = '', path = '', query = ''] =
    /^([a-z-]+):\/\/(?:([^@/?]*)@)?([^@/?]+)(?:\/([^/?]*))?(?:\?(.*))?$/.exec(address) ?? []
  if (!Object.hasOwn(KINDS, scheme)) throw addressError('another form')
  const { kind, tls, port } = KINDS[scheme as keyof typeof KINDS]
  const nodes = hosts.split(',').map(host => nodeOf(host, port))
  if (kind === 'single' && nodes.length > 1) throw addressError(`${nodes.length} servers where one is named`)
  return { kind, nodes, tls, ...credentialsOf(login), ...pathOf(kind, path), ...parametersIn(kind, query) }
}

function nodeOf(text: string, defaultPort: number) {
  const [, bracketed, plain, digits] = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/.exec(text.trim()) ?? []
  const host = bracketed ?? plain
  const port = digits === undefined ? defaultPort : Number(digits)
  if (host === undefined || port < 1 || port > 65_535) throw addressError('a host or port that is none')
  return { host, port }
}

function credentialsOf(login: string | undefined): Pick<RedisAddress, 'username' | 'password'> {
  if (login === undefined) return {}
  const colon = login.indexOf(':')
  const [username, password] = colon < 0 ? ['', login] : [login.slice(0, colon), login.slice(colon + 1)]
  return { ...(username !== '' && { username: decodePart(username) }), password: decodePart(password) }
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw addressError('a percent sign that stands for nothing')
  }
}

function pathOf(kind: RedisAddress['kind'], path: string): Pick<RedisAddress, 'database' | 'service'> {
  if (kind === 'sentinel') {
    if (path === '') throw addressError('no name by which the sentinels know the primary')
    return { service: decodePart(path) }
  }
  if (path === '') return {}
  if (kind === 'cluster' || !/^\d+$/.test(path)) throw addressError('a database that is no number, or one of a Cluster')
  return { database: Number(path) }
}

const NAMED = {
  prefix: 'prefix',
  sentinel_user: 'sentinelUsername',
  sentinel_password: 'sentinelPassword',
} as const satisfies Readonly<Record<string, keyof RedisAddress>>

type AddressParts = Pick<RedisAddress, (typeof NAMED)[keyof typeof NAMED]>

/** The named parameters after the question mark. */
function parametersIn(kind: RedisAddress['kind'], query: string): AddressParts {
  if (query === '') return {}
  const entries = query.split('&').map(part => {
    const [, name = '', value = ''] = /^([a-z_]+)=(.*)$/.exec(part) ?? []
    if (!Object.hasOwn(NAMED, name)) throw addressError('something else after the question mark')
    if (kind !== 'sentinel' && name !== 'prefix') throw addressError(`${name} without sentinels`)
    return [NAMED[name as keyof typeof NAMED], decodePart(value)]
  })
  return Object.fromEntries(entries) as AddressParts
}

const addressError = (came: string): SyncError =>
  new SyncError('value_not_allowed', `The address of a Redis: expected ${ADDRESS_FORMS}, got ${came}.`)
