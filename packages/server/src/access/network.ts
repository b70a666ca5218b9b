import ipaddr from 'ipaddr.js'

type IpAddress = ReturnType<typeof ipaddr.parse>

const PORT = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?$/
/** Groups of an IPv6 address that count: one subscriber usually has all 2^64 addresses of a /64. */
const NETWORK_GROUPS = 4

/** An address in its one spelling: without a port and a zone, IPv4 as IPv4. Undefined: the text is none. */
export function addressOf(text: string): string | undefined {
  const address = parseAddress(text)
  return address?.toString()
}

/** Whom an address stands for where callers are counted: an IPv4 address, or the /64 of an IPv6 address. Another text stands for itself. */
export function networkOf(text: string): string {
  const address = parseAddress(text)
  if (!address) return text
  if (address.kind() === 'ipv4') return address.toString()
  const parts = (address as ReturnType<typeof ipaddr.IPv6.parse>).parts.slice(0, NETWORK_GROUPS)
  return `${parts.map(part => part.toString(16)).join(':')}::/64`
}

function parseAddress(text: string): IpAddress | undefined {
  // An IPv6 address has two colons or more: with one, or in brackets, a port follows.
  const [, bracketed, plain] = PORT.exec(text.trim()) ?? []
  const bare = (bracketed ?? plain ?? text).trim().replace(/%.*$/s, '')
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : undefined
}
