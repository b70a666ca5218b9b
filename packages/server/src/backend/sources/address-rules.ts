import ip from 'ipaddr.js'

/** The scope of an address. `metadata` is the endpoint from which cloud machines read their secrets; it may never be called. */
export type AddressScope = 'public' | 'private' | 'metadata'

const METADATA_RANGES = [
  '169.254.0.0/16',
  'fe80::/10',
  'fd00:ec2::/32',
  'fd20:ce::/32',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
].map(range => ip.parseCIDR(range))
const GLOBAL = ip.IPv6.parseCIDR('2000::/3')

const METADATA_NAMES: ReadonlySet<string> = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.azure.com',
  'metadata.azure.internal',
  'metadata.tencentyun.com',
  'instance-data',
  'instance-data.ec2.internal',
])

/** Returns the scope of an IP address; anything not plainly public is private. An IPv6 address that embeds an IPv4 address has the scope of both. */
export function reachOf(address: string): AddressScope {
  if (!ip.isValid(address)) return 'private'
  const parsed = ip.parse(address)
  if (METADATA_RANGES.some(([range, bits]) => range.kind() === parsed.kind() && parsed.match(range, bits)))
    return 'metadata'
  if (parsed.kind() === 'ipv4') return parsed.range() === 'unicast' ? 'public' : 'private'
  const six = parsed as ip.IPv6
  if (embeddedIpv4(six).some(four => reachOf(four) === 'metadata')) return 'metadata'
  return six.range() === 'unicast' && six.match(GLOBAL) ? 'public' : 'private'
}

/** Returns the scope of a host name before it is resolved. */
export function reachOfName(name: string): AddressScope {
  const plain = name.toLowerCase().replace(/\.+$/, '')
  if (METADATA_NAMES.has(plain)) return 'metadata'
  return plain === 'localhost' || plain.endsWith('.localhost') ? 'private' : 'public'
}

/**
 * Returns every IPv4 address that an IPv6 address may embed: mapped, compatible, translated (its end), 6to4 (its start), Teredo (its end, inverted).
 */
function embeddedIpv4({ parts }: ip.IPv6): readonly string[] {
  const pair = (at: number, flip = 0): string => {
    const [high = 0, low = 0] = [(parts[at] ?? 0) ^ flip, (parts[at + 1] ?? 0) ^ flip]
    return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  }
  const isTeredo = parts[0] === 0x2001 && parts[1] === 0
  return [pair(6), ...(parts[0] === 0x2002 ? [pair(1)] : []), ...(isTeredo ? [pair(6, 0xffff), pair(2)] : [])]
}
