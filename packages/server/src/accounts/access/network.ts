import ipaddr from 'ipaddr.js'

type IpAddress = ReturnType<typeof ipaddr.parse>

const PORT = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?$/
/** The number of leading groups that identify the network of an IPv6 address: one subscriber usually has all 2^64 addresses of a /64. */
const NETWORK_GROUPS = 4

/** Returns the canonical form of an IP address, without port and zone and with mapped IPv4 as IPv4; undefined if the text is not an address. */
export function addressOf(text: string): string | undefined {
  const address = parseAddress(text)
  return address?.toString()
}

/** Returns the network under which callers are counted: an IPv4 address, or the /64 of an IPv6 address. Any other text is returned as it is. */
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
