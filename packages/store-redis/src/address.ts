import { SyncError } from '@godwit/protocol'

/** Where Redis is, read from an address. */
export interface RedisAddress {
  readonly kind: 'single' | 'sentinel' | 'cluster'
  readonly nodes: readonly { readonly host: string; readonly port: number }[]
  readonly tls: boolean
  readonly username?: string
  readonly password?: string
  readonly database?: number
  /** The name that sentinels know the primary by. */
  readonly service?: string
  /** Before every key. */
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

const EXPECTED =
  "redis://[USER:PASSWORD@]HOST:PORT[/DATABASE], redis-cluster://H1:P1,H2:P2 or redis-sentinel://H1:P1,H2:P2/NAME; with rediss for TLS, and ?prefix=PREFIX for keys of one's own"

/** Reads an address. What it says of a wrong one never repeats the address, which may hold a password. */
export function readAddress(address: string): RedisAddress {
  const [, scheme = '', login, hosts = '', path = '', query = ''] =
    /^([a-z-]+):\/\/(?:([^@/?]*)@)?([^@/?]+)(?:\/([^/?]*))?(?:\?(.*))?$/.exec(address) ?? []
  if (!Object.hasOwn(KINDS, scheme)) throw wrong('another form came')
  const { kind, tls, port } = KINDS[scheme as keyof typeof KINDS]
  const nodes = hosts.split(',').map(host => nodeOf(host, port))
  if (kind === 'single' && nodes.length > 1) throw wrong(`${nodes.length} servers came where one is named`)
  return { kind, nodes, tls, ...credentialsOf(login), ...pathOf(kind, path), ...prefixIn(query) }
}

function nodeOf(text: string, defaultPort: number) {
  const [, bracketed, plain, digits] = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/.exec(text.trim()) ?? []
  const host = bracketed ?? plain
  const port = digits === undefined ? defaultPort : Number(digits)
  if (host === undefined || port < 1 || port > 65_535) throw wrong('a host or port is none')
  return { host, port }
}

function credentialsOf(login: string | undefined): Pick<RedisAddress, 'username' | 'password'> {
  if (login === undefined) return {}
  const colon = login.indexOf(':')
  const [username, password] = colon < 0 ? ['', login] : [login.slice(0, colon), login.slice(colon + 1)]
  return { ...(username !== '' && { username: decoded(username) }), password: decoded(password) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw wrong('it has a percent sign that stands for nothing')
  }
}

function pathOf(kind: RedisAddress['kind'], path: string): Pick<RedisAddress, 'database' | 'service'> {
  if (kind === 'sentinel') {
    if (path === '') throw wrong('the name is missing that the sentinels know the primary by')
    return { service: decoded(path) }
  }
  if (path === '') return {}
  if (kind === 'cluster' || !/^\d+$/.test(path)) throw wrong('a database that is no number, or one of a Cluster, came')
  return { database: Number(path) }
}

function prefixIn(query: string): Pick<RedisAddress, 'prefix'> {
  if (query === '') return {}
  if (!query.startsWith('prefix=')) throw wrong('something other than a prefix came after the question mark')
  return { prefix: decoded(query.slice('prefix='.length)) }
}

const wrong = (came: string): SyncError =>
  new SyncError('value_not_allowed', `The address of a Redis: expected ${EXPECTED}; ${came}.`)
